// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Returns how long the calling thread has slept in `body`, for a lock or for the disk.
///
/// The time of work, or of a wait for a processor of a busy machine, does not count. A busy disk
/// counts, so the files of `body` should be in a folder in memory.
func timeAsleep(in body: () throws -> Void) rethrows -> Duration {
    // The times are read in this order, so that a pause in between counts as busy.
    let busy = busyTime()
    let begin = ContinuousClock.now
    try body()
    let end = ContinuousClock.now
    return end - begin - (busyTime() - busy)
}

/// Returns the time of the calling thread on a processor and in the queue, or zero if unknown.
private func busyTime() -> Duration {
    let text = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
    let times = (text ?? "").split(separator: " ").prefix(2).compactMap { Int64($0) }
    return .nanoseconds(times.reduce(0, +))
}
