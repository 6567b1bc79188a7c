// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// A clock that tells how far away the instants are that it is asked for, and wakes nobody.
final class FarClock: Clock {
    private let clock = ManualClock()
    private let sleeps = Log<Duration>()
    private let hasSleeper = Gate()

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        sleeps(clock.now.duration(to: deadline))
        hasSleeper.open()
        try await Gate().wait()
    }

    /// How long the first one wanted to sleep.
    func firstSleep() async throws -> Duration {
        try await hasSleeper.wait()
        return sleeps.all[0]
    }
}
