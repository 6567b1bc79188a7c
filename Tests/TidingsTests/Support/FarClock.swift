// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// A clock that records how far away the requested instants are, and wakes no sleeper.
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

    /// Returns the duration of the first sleep.
    func firstSleep() async throws -> Duration {
        try await hasSleeper.wait()
        return sleeps.all[0]
    }
}
