// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The time that a thread spends on a lock that another holder has.
///
/// The system can wait for a lock, but not with a limit, so a thread tries again after each pause.
/// Tests use a time that stands still between the pauses, so that a busy machine adds nothing.
package struct LockTime: Sendable {
    /// The time of the system, with pauses of a millisecond.
    package static let system = LockTime(now: { .now }, pause: { usleep(1_000) })

    /// The present moment.
    package let now: @Sendable () -> ContinuousClock.Instant
    let pause: @Sendable () -> Void

    /// Creates a time whose `pause` blocks the calling thread until the next attempt.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        pause: @escaping @Sendable () -> Void
    ) {
        self.now = now
        self.pause = pause
    }
}
