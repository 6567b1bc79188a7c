// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

/// The transfers of an engine that wait for a turn at a limit.
///
/// Only the engine's thread uses this type.
final class PausedTransfers {
    private var ends: [UnsafeMutableRawPointer: ContinuousClock.Instant] = [:]

    /// Records that a transfer waits.
    ///
    /// libcurl pauses the transfer after this call.
    func add(_ easy: UnsafeMutableRawPointer, for wait: Duration) {
        ends[easy] = .now + wait
    }

    /// Removes the record of a transfer that has ended.
    func remove(_ easy: UnsafeMutableRawPointer) {
        if !ends.isEmpty { ends[easy] = nil }
    }

    /// Removes and returns the transfers whose wait is over, starting with the longest wait.
    func removeDue() -> [UnsafeMutableRawPointer] {
        if ends.isEmpty { return [] }
        let now = ContinuousClock.now
        let due = ends.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        for easy in due { ends[easy] = nil }
        return due
    }

    /// Returns the milliseconds until the next wait is over, at most a given number.
    func nextDue(atMost longest: Int32) -> Int32 {
        guard let next = ends.values.min() else { return longest }
        let wait = (next - .now) / .milliseconds(1)
        return min(longest, Int32(max(0, wait.rounded(.up))))
    }
}
