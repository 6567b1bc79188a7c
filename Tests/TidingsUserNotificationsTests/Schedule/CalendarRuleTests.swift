// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct CalendarRuleTests {
    private func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    private func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    private func next(
        _ components: DateComponents,
        after text: String,
        in zone: String = "Europe/Berlin"
    ) throws -> String? {
        let trigger = UserNotificationTrigger.calendar(components)
        let found = trigger.nextFireDate(after: try date(text), in: try calendar(zone))
        return found?.formatted(.iso8601)
    }

    @Test(arguments: [
        // Units above the given units match any value, and units below match the first value.
        (DateComponents(hour: 9), "2026-01-05T07:59:59Z", "2026-01-05T08:00:00Z"),
        (DateComponents(hour: 9), "2026-01-05T08:00:00Z", "2026-01-06T08:00:00Z"),
        (DateComponents(minute: 30), "2026-01-05T07:45:00Z", "2026-01-05T08:30:00Z"),
        (DateComponents(second: 10), "2026-01-05T07:45:10Z", "2026-01-05T07:46:10Z"),
        (DateComponents(day: 1), "2026-01-05T07:45:00Z", "2026-01-31T23:00:00Z"),
        (DateComponents(month: 6), "2026-01-05T07:45:00Z", "2026-05-31T22:00:00Z"),
        (DateComponents(year: 2030), "2026-01-05T07:45:00Z", "2029-12-31T23:00:00Z"),
        (DateComponents(month: 6, hour: 9), "2026-06-01T08:00:00Z", "2026-06-02T07:00:00Z"),
        (DateComponents(day: 5, minute: 30), "2026-01-05T08:30:00Z", "2026-01-05T09:30:00Z"),
        (DateComponents(hour: 9, weekday: 2), "2026-01-05T08:00:00Z", "2026-01-12T08:00:00Z"),
        (
            DateComponents(hour: 23, minute: 59, second: 59), "2026-12-31T22:59:59Z",
            "2027-01-01T22:59:59Z"
        ),
    ])
    func n13_missingUnitsMatchAnyOrTheFirst(
        _ components: DateComponents,
        _ after: String,
        _ expected: String
    ) throws {
        #expect(try next(components, after: after) == expected)
    }

    @Test(arguments: [
        // On 29 March 2026 Berlin goes from 2 to 3 at 01:00 UTC.
        (DateComponents(hour: 2, minute: 30), "2026-03-28T20:00:00Z", "2026-03-29T01:00:00Z"),
        (DateComponents(hour: 2), "2026-03-28T20:00:00Z", "2026-03-29T01:00:00Z"),
        (DateComponents(hour: 3), "2026-03-28T20:00:00Z", "2026-03-29T01:00:00Z"),
        (DateComponents(hour: 2, minute: 30), "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
        (DateComponents(minute: 30), "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"),
    ])
    func n13_aTimeThatSummerSkipsIsTheFirstLaterInstant(
        _ components: DateComponents,
        _ after: String,
        _ expected: String
    ) throws {
        #expect(try next(components, after: after) == expected)
    }

    @Test func n13_aTimeThatWinterRepeatsFiresOnce() throws {
        // On 25 October 2026 Berlin goes from 3 back to 2 at 01:00 UTC.
        let half = DateComponents(hour: 2, minute: 30)
        let first = try next(half, after: "2026-10-24T20:00:00Z")
        #expect(first == "2026-10-25T00:30:00Z")
        #expect(try next(half, after: "2026-10-25T00:30:00Z") == "2026-10-26T01:30:00Z")
        #expect(try next(half, after: "2026-10-25T00:45:00Z") == "2026-10-26T01:30:00Z")
    }

    @Test func n13_aGapAtMidnightMovesTheTimeAndNotTheDay() throws {
        // Cairo goes from 0 to 1 on 24 April 2026.
        let midnight = DateComponents(hour: 0)
        let found = try next(midnight, after: "2026-04-23T10:00:00Z", in: "Africa/Cairo")
        #expect(found == "2026-04-23T22:00:00Z")
    }

    @Test func n13_aDayThatAZoneSkipsIsSkipped() throws {
        // Samoa had no 30 December 2011.
        let day = DateComponents(day: 30, hour: 9)
        let found = try next(day, after: "2011-12-01T00:00:00Z", in: "Pacific/Apia")
        #expect(found == "2012-01-29T19:00:00Z")
    }

    @Test(arguments: [
        ("2026-03-01T00:00:00Z", "2028-02-29T08:00:00Z"),
        ("2096-03-01T00:00:00Z", "2104-02-29T08:00:00Z"),
    ])
    func n13_theLeapDayComesInLeapYears(_ after: String, _ expected: String) throws {
        let leap = DateComponents(month: 2, day: 29, hour: 9)
        #expect(try next(leap, after: after) == expected)
    }

    @Test func n13_aDayThatAMonthLacksIsSkipped() throws {
        let last = DateComponents(day: 31, hour: 9)
        #expect(try next(last, after: "2026-03-31T07:00:00Z") == "2026-05-31T07:00:00Z")
    }

    @Test func n13_aZoneInTheComponentsCounts() throws {
        var nine = DateComponents(hour: 9)
        nine.timeZone = TimeZone(identifier: "Asia/Tokyo")
        #expect(try next(nine, after: "2026-01-05T00:00:00Z") == "2026-01-06T00:00:00Z")
        #expect(try next(nine, after: "2026-01-04T23:59:00Z") == "2026-01-05T00:00:00Z")
    }

    @Test(arguments: [
        DateComponents(), DateComponents(hour: 24), DateComponents(minute: -1),
        DateComponents(year: 2020), DateComponents(month: 2, day: 30),
        DateComponents(year: 2027, month: 2, day: 29),
    ])
    func anImpossibleDateIsNil(_ components: DateComponents) throws {
        #expect(try next(components, after: "2026-01-05T00:00:00Z") == nil)
    }

    @Test func n13_aDailyTriggerFiresOncePerDay() throws {
        let trigger = UserNotificationTrigger.calendar(DateComponents(hour: 2, minute: 30))
        for zone in [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca",
        ] {
            let calendar = try calendar(zone)
            let first = try #require(
                trigger.nextFireDate(after: try date("2026-01-01T00:00:00Z"), in: calendar)
            )
            var date = first
            for _ in 0..<364 {
                let next = try #require(trigger.nextFireDate(after: date, in: calendar))
                #expect((79_200...93_600).contains(next.timeIntervalSince(date)))
                date = next
            }
            let days = calendar.dateComponents(
                [.day],
                from: calendar.startOfDay(for: first),
                to: calendar.startOfDay(for: date)
            )
            #expect(days.day == 364)
        }
    }
}
