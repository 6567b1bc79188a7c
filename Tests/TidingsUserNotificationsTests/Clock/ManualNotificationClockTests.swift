// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotificationsTesting

@Suite(.timeLimit(.minutes(15)))
struct ManualNotificationClockTests {
    private let clock = ManualNotificationClock()

    @Test func advanceMovesDateAndUptimeTogether() {
        let (date, epoch) = (clock.date, clock.epoch)
        clock.advance(by: .seconds(5))
        #expect(clock.date == date + 5 && clock.uptime == .seconds(5))
        clock.setDate(date)
        #expect(clock.date == date && clock.uptime == .seconds(5))
        clock.beginEpoch()
        #expect(clock.date == date && clock.uptime == .zero && clock.epoch != epoch)
        clock.setZone(.gmt)
        #expect(clock.calendar.timeZone == .gmt)
    }

    @Test func aSleepEndsAtItsDateOrAtItsLimit() async throws {
        let clock = clock
        let date = clock.date + 60
        let early = Task { try await clock.sleep(until: date, atMost: .seconds(600)) }
        let late = Task { try await clock.sleep(until: nil, atMost: .seconds(600)) }
        try await clock.waitForSchedules(2)
        clock.setDate(date)
        try await early.value
        try await clock.waitForSchedules(1)
        clock.advance(by: .seconds(600))
        try await late.value
        // A past date ends a sleep immediately.
        try await clock.sleep(until: date, atMost: .seconds(600))
    }

    @Test func limitsAndSchedulesAreCountedApart() async throws {
        let clock = clock
        let limit = Task { try await clock.sleep(for: .seconds(5)) }
        try await clock.waitForSleepers()
        limit.cancel()
        await #expect(throws: CancellationError.self) { try await limit.value }
        let schedule = Task { try await clock.sleep(until: nil, atMost: .seconds(5)) }
        try await clock.waitForSchedules()
        clock.advance(by: .seconds(5))
        try await schedule.value
    }

    @Test func theUptimeCannotGoBack() async {
        await #expect(processExitsWith: .failure) {
            ManualNotificationClock().advance(by: .seconds(-1))
        }
    }
}
