// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Returns how long the calling thread has slept in `body`, for a lock or for the disk.
///
/// The time for which it has worked, or waited for a processor of a busy machine, does not count.
func timeAsleep(in body: () throws -> Void) rethrows -> Duration {
    // Read in this order, so that a pause in between counts as busy.
    let busy = busyTime()
    let begin = ContinuousClock.now
    try body()
    let end = ContinuousClock.now
    return end - begin - (busyTime() - busy)
}

/// The calling thread's time on a processor and in the queue for one; zero where it is unknown.
private func busyTime() -> Duration {
    let text = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
    let times = (text ?? "").split(separator: " ").prefix(2).compactMap { Int64($0) }
    return .nanoseconds(times.reduce(0, +))
}
