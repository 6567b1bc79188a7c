// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct SystemNotificationClockTests {
    private let clock = SystemNotificationClock()

    @Test func uptimeOnlyGrows() {
        let (uptime, epoch) = (clock.uptime, clock.epoch)
        #expect(uptime > .zero && clock.uptime >= uptime)
        #expect(!epoch.isEmpty && clock.epoch == epoch)
        let begin = Date()
        let date = clock.date
        #expect(begin <= date && date <= Date())
    }

    @Test func aDateThatHasPassedEndsTheSleepAtOnce() async throws {
        try await clock.sleep(until: Date(timeIntervalSinceNow: -1), atMost: .seconds(600))
    }

    @Test func aSleepEndsAtItsDateOrAtItsLimit() async throws {
        let date = Date(timeIntervalSinceNow: 0.05)
        try await clock.sleep(until: date, atMost: .seconds(600))
        #expect(Date() >= date)
        let begin = clock.uptime
        try await clock.sleep(until: .distantFuture, atMost: .milliseconds(50))
        #expect(clock.uptime - begin >= .milliseconds(50))
        try await clock.sleep(until: nil, atMost: .milliseconds(1))
    }

    /// The system counts nanoseconds in 64 bits, which are too few for distant years.
    @Test(arguments: [1e10, 1.9e10, 4e10, 1e15, 1e19, 1e300])
    func n13_aDateThatIsVeryFarAwayIsNotReached(_ seconds: TimeInterval) async throws {
        let begin = clock.uptime
        let date = Date(timeIntervalSince1970: seconds)
        try await clock.sleep(until: date, atMost: .milliseconds(50))
        #expect(clock.uptime - begin >= .milliseconds(50))
    }

    @Test func aSleepCanBeCancelled() async {
        let clock = clock
        let sleep = Task { try await clock.sleep(until: .distantFuture, atMost: .seconds(600)) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }

    /// A test in a separate process, because the time zone belongs to the whole process.
    @Test func n13_theZoneIsTheOneWhereTheSystemIsNow() async {
        await #expect(processExitsWith: .success) {
            let clock = SystemNotificationClock()
            for zone in ["Asia/Tokyo", "America/New_York", "Europe/Berlin"] {
                setenv("TZ", zone, 1)
                #expect(clock.calendar.timeZone.identifier == zone)
            }
        }
    }
}
