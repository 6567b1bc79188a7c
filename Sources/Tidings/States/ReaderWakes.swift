// SPDX-License-Identifier: Apache-2.0

/// The notifications that the readers of a state need, as a value.
///
/// Observation drops a reader only after the call of the reader. Two threads that notified at the
/// same time would both call the reader, so one thread notifies, also for the others.
struct ReaderWakes: Sendable {
    /// The readers to notify.
    enum Readers: Sendable {
        case all
        /// The readers that still have one of these epochs.
        case late([ReadEpoch])
    }

    private(set) var isWaking = false
    private var isChanged = false
    private var epochs: [ReadEpoch] = []

    /// Requests a notification of all readers.
    ///
    /// - Returns: Whether the caller must notify, because no thread does.
    mutating func requestAll() -> Bool {
        isChanged = true
        return begin()
    }

    /// Requests a notification of the readers that still have an epoch.
    ///
    /// - Returns: Whether the caller must notify, because no thread does.
    mutating func request(_ epoch: ReadEpoch) -> Bool {
        if !epochs.contains(epoch) { epochs.append(epoch) }
        return begin()
    }

    private mutating func begin() -> Bool {
        defer { isWaking = true }
        return !isWaking
    }

    /// Returns the readers that the notifying thread notifies next, or nil if the thread is done.
    mutating func next() -> Readers? {
        defer { (isChanged, epochs) = (false, []) }
        // All readers include the late ones.
        if isChanged { return .all }
        if !epochs.isEmpty { return .late(epochs) }
        isWaking = false
        return nil
    }
}
