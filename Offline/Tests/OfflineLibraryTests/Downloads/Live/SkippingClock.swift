// SPDX-License-Identifier: Apache-2.0
import TidingsLock
import TidingsTesting

/// A clock on which each sleep ends immediately, at the deadline.
final class SkippingClock: Clock {
    typealias Instant = ManualClock.Instant

    private let state = Lock(Instant(offset: .zero))

    var now: Instant { state.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.withLock { $0 = max($0, deadline) }
        await Task.yield()
        try Task.checkCancellation()
    }
}
