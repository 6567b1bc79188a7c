// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineStore

@Suite struct DownloadHoursTests {
    private let berlin: TimeZone
    private let utc: TimeZone

    init() throws {
        berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        utc = try #require(TimeZone(identifier: "UTC"))
    }

    private func hours(_ text: String) throws -> DownloadHours {
        try #require(DownloadHours(rawValue: text))
    }

    /// Returns the time of a string with an offset from UTC.
    private func time(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    @Test(arguments: [
        ("22:59:59", false), ("23:00:00", true), ("00:00:00", true), ("06:59:59", true),
        ("07:00:00", false), ("12:00:00", false),
    ])
    func o22_hoursGoOnAcrossMidnight(clock: String, isIncluded: Bool) throws {
        let date = try time("2026-05-04T\(clock)Z")
        #expect(try hours("23:00-07:00").include(date, in: utc) == isIncluded)
        #expect(try hours("07:00-23:00").include(date, in: utc) == !isIncluded)
        #expect(DownloadHours.always.include(date, in: utc))
    }

    @Test(arguments: [
        ("2026-05-04T12:00:00Z", "2026-05-04T23:00:00Z"),
        ("2026-05-04T23:00:00Z", "2026-05-05T07:00:00Z"),
        ("2026-05-05T06:59:59Z", "2026-05-05T07:00:00Z"),
        ("2026-05-05T07:00:00Z", "2026-05-05T23:00:00Z"),
    ])
    func theNextChangeIsTheNextLimit(now: String, next: String) throws {
        let hours = try hours("23:00-07:00")
        #expect(try hours.nextChange(after: try time(now), in: utc) == time(next))
    }

    @Test func aFractionOfASecondBeforeTheLimitTheLimitIsNext() throws {
        let limit = try time("2026-05-04T23:00:00Z")
        let next = try hours("23:00-07:00").nextChange(
            after: limit.addingTimeInterval(-0.25),
            in: utc
        )
        #expect(next == limit)
        #expect(DownloadHours.always.nextChange(after: limit, in: utc) == nil)
    }

    @Test func o22_inTheHourThatTheClockSkipsTheHoursBeginAfterIt() throws {
        // On 29 March 2026 the clock goes from 02:00 to 03:00.
        let hours = try hours("02:30-04:00")
        let before = try time("2026-03-29T01:00:00+01:00")
        #expect(!hours.include(before, in: berlin))
        let begin = try time("2026-03-29T03:00:00+02:00")
        #expect(hours.nextChange(after: before, in: berlin) == begin)
        let end = try time("2026-03-29T04:00:00+02:00")
        #expect(hours.nextChange(after: begin, in: berlin) == end)
    }

    @Test func o22_inTheHourThatTheClockRepeatsTheHoursBeginAgain() throws {
        // On 25 October 2026 the clock goes from 03:00 back to 02:00.
        let hours = try hours("01:00-02:30")
        var time = try time("2026-10-25T01:30:00+02:00")
        let changes = [
            "2026-10-25T02:30:00+02:00", "2026-10-25T02:00:00+01:00",
            "2026-10-25T02:30:00+01:00", "2026-10-26T01:00:00+01:00",
        ]
        for change in changes {
            time = try #require(hours.nextChange(after: time, in: berlin))
            #expect(try time == self.time(change))
        }
    }

    @Test func o22_aDayOf23HoursShortensTheHours() throws {
        let hours = try hours("23:00-07:00")
        let begin = try time("2026-03-28T23:00:00+01:00")
        let end = try #require(hours.nextChange(after: begin, in: berlin))
        #expect(end.timeIntervalSince(begin) == 7 * 3_600)
    }
}
