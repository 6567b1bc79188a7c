// SPDX-License-Identifier: Apache-2.0

/// The epochs whose readers are due for a notification, as a value.
///
/// Observation drops a reader only after the call of the reader. Two threads that notified at the
/// same time would both call the reader, so one thread notifies, also for the others.
struct ReaderWakes: Sendable {
    /// Whether a thread notifies.
    private(set) var isWaking = false
    private var epochs: [ReadEpoch] = []

    /// Requests a notification of an epoch's readers.
    ///
    /// - Returns: Whether the caller must notify, because no thread does.
    mutating func request(_ epoch: ReadEpoch) -> Bool {
        if !epochs.contains(epoch) { epochs.append(epoch) }
        defer { isWaking = true }
        return !isWaking
    }

    /// Returns the epochs that the notifying thread notifies next, or nil if the thread is done.
    mutating func next() -> [ReadEpoch]? {
        guard !epochs.isEmpty else {
            isWaking = false
            return nil
        }
        defer { epochs = [] }
        return epochs
    }
}
