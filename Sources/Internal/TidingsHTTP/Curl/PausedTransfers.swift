// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

/// The transfers of an engine that wait for their turns at a limit; used on its thread only.
final class PausedTransfers {
    private var ends: [UnsafeMutableRawPointer: ContinuousClock.Instant] = [:]

    /// Records that a transfer waits, which libcurl pauses after this.
    func add(_ easy: UnsafeMutableRawPointer, for wait: Duration) {
        ends[easy] = .now + wait
    }

    /// Forgets a transfer that has ended.
    func remove(_ easy: UnsafeMutableRawPointer) {
        if !ends.isEmpty { ends[easy] = nil }
    }

    /// Removes and returns the transfers whose wait is over, the longest one first.
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
