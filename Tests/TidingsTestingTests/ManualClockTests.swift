// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct ManualClockTests {
    private let clock = ManualClock()

    @Test func standsStillUntilTheTestAdvancesIt() {
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .seconds(2))
        clock.advance(by: .seconds(3))
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test func wakesASleeperAtItsDeadlineAndNotBefore() async throws {
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(9))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleeperCount == 0)
        try await sleeper.value
    }

    @Test func aPassedDeadlineDoesNotSleep() async throws {
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: .init(offset: .seconds(1)))
    }

    @Test func aCancelledSleepThrows() async throws {
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        try await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func waitsForSeveralSleepers() async throws {
        let sleepers = (1...3).map { seconds in
            Task { try await clock.sleep(for: .seconds(seconds)) }
        }
        try await clock.waitForSleepers(3)
        clock.advance(by: .seconds(3))
        for sleeper in sleepers { try await sleeper.value }
    }

    @Test func rejectsANegativeAdvance() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            ManualClock().advance(by: .seconds(-1))
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A clock cannot go back"))
    }
}
