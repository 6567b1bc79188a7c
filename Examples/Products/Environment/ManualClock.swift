// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A clock that the script advances, so that a minute passes immediately.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Duration.zero)

    var now: Instant { Instant(offset: time.withLock { $0 }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    /// Advances the clock to the deadline and returns immediately, although the program never calls
    /// this.
    func sleep(until deadline: Instant, tolerance: Duration?) {
        time.withLock { $0 = max($0, deadline.offset) }
    }
}
