// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// The state machine, without tasks.
@Suite(.timeLimit(.minutes(15)))
struct NotificationScheduleTests {
    private let clock = ManualNotificationClock()
    private var now: NotificationMoment { clock.moment }

    private func schedule(_ requests: UserNotificationRequest...) throws -> NotificationSchedule {
        var schedule = NotificationSchedule()
        for (number, request) in requests.enumerated() {
            _ = try schedule.add(request, number: number, at: now)
        }
        return schedule
    }

    private func claim(
        _ schedule: inout NotificationSchedule,
        isStart: Bool = false
    ) -> [String] {
        let due = schedule.claim(for: "me", at: now, isStart: isStart)
        for due in due { schedule.finish(due.number) }
        return due.map { $0.request.identifier + ($0.isOverdue ? "!" : "") }
    }

    @Test func n14_theSixtyFifthRequestIsRefusedAndChangesNothing() throws {
        var schedule = NotificationSchedule()
        for number in 0..<64 {
            let request = request("\(number)", .after(.seconds(number)))
            _ = try schedule.add(request, number: number, at: now)
        }
        let before = schedule
        #expect {
            try schedule.add(request("64", .after(.seconds(1))), number: 64, at: now)
        } throws: {
            ($0 as? UserNotificationError)?.code == .pendingLimit
        }
        #expect(schedule == before)
        _ = try schedule.add(request("3", .after(.seconds(99))), number: 65, at: now)
        #expect(schedule.items.count == 64)
    }

    @Test func n24_aRequestForWhichTheProgramIsStartedIsNotOverdue() throws {
        for (late, wanted) in [(9, ["woken", "dropped", "missed!"]), (11, ["woken!", "missed!"])] {
            var schedule = try schedule(
                request("woken", .after(.seconds(60)), startsProgram: true),
                request("dropped", .after(.seconds(60)), .drop, startsProgram: true),
                request("missed", .after(.seconds(60)))
            )
            #expect(schedule.programStart(at: now) == now.date.addingTimeInterval(60))
            clock.advance(by: .seconds(60 + late))
            #expect(claim(&schedule, isStart: true) == wanted)
            #expect(schedule.programStart(at: now) == nil)
        }
    }

    @Test func n24_onlyRequestsThatAskForItStartTheProgram() throws {
        let schedule = try schedule(
            request("a", .after(.seconds(5))),
            request("b", .after(.seconds(90)), startsProgram: true),
            request("c", .after(.seconds(70)), startsProgram: true)
        )
        #expect(schedule.programStart(at: now) == now.date.addingTimeInterval(70))
        #expect(schedule.nextDate(at: now) == now.date.addingTimeInterval(5))
    }

    @Test func aStoredRequestOfAnEarlierVersionStartsNothing() throws {
        var later = request("a", .after(.seconds(5)))
        let stored = try JSONEncoder().encode(later)
        #expect(!String(decoding: stored, as: UTF8.self).contains("tarting"))
        #expect(try JSONDecoder().decode(UserNotificationRequest.self, from: stored) == later)
        later.startsProgram = true
        let kept = try JSONEncoder().encode(later)
        #expect(try JSONDecoder().decode(UserNotificationRequest.self, from: kept) == later)
        #expect(later.startsProgram && later != request("a", .after(.seconds(5))))
        later.startsProgram = false
        #expect(later == request("a", .after(.seconds(5))))
    }

    @Test func n13_anIntervalThatRepeatsFasterThanAMinuteIsRefused() throws {
        for interval in [Duration.seconds(59), .seconds(-1)] {
            #expect(throws: UserNotificationError.self) {
                try schedule(request("a", .after(interval, repeats: true)))
            }
        }
        #expect(throws: UserNotificationError.self) {
            try schedule(request("a", .after(.seconds(-1))))
        }
        _ = try schedule(request("a", .after(.seconds(60), repeats: true)))
        _ = try schedule(request("a", .after(.zero)))
    }

    @Test func n12_anIntervalFiresOnceItHasPassed() throws {
        var schedule = try schedule(request("a", .after(.seconds(5))))
        clock.advance(by: .seconds(4.999))
        #expect(claim(&schedule) == [])
        clock.advance(by: .seconds(0.001))
        #expect(schedule.nextDate(at: now) == clock.date)
        #expect(claim(&schedule) == ["a"])
        #expect(claim(&schedule) == [])
        #expect(schedule.items.isEmpty)
    }

    @Test func n13_anIntervalIgnoresTheWallClock() throws {
        var schedule = try schedule(request("a", .after(.seconds(3_600))))
        clock.setDate(clock.date.addingTimeInterval(86_400))
        #expect(claim(&schedule) == [])
        clock.setDate(clock.date.addingTimeInterval(-2 * 86_400))
        clock.advance(by: .seconds(3_599))
        #expect(claim(&schedule) == [])
        clock.advance(by: .seconds(1))
        #expect(claim(&schedule) == ["a"])
    }

    @Test func n13_anIntervalCountsTimeInWhichTheSystemSleeps() throws {
        var schedule = try schedule(request("a", .after(.seconds(3_600))))
        // The system was suspended for two hours, so the request is an hour late.
        clock.advance(by: .seconds(7_200))
        #expect(claim(&schedule) == ["a!"])
    }

    @Test func n12_afterASystemRestartTheDateCounts() throws {
        var schedule = try schedule(request("a", .after(.seconds(3_600))))
        clock.beginEpoch()
        clock.advance(by: .seconds(3_599))
        #expect(claim(&schedule, isStart: true) == [])
        clock.advance(by: .seconds(2))
        #expect(claim(&schedule, isStart: true) == ["a!"])
    }

    @Test func n12_aRepeatingIntervalFiresOnceForAllMissedTimes() throws {
        var schedule = try schedule(request("a", .after(.seconds(60), repeats: true)))
        clock.advance(by: .seconds(330))
        #expect(claim(&schedule) == ["a!"])
        #expect(claim(&schedule) == [])
        // The next date is in phase with the first occurrence.
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(30))
        clock.advance(by: .seconds(30))
        #expect(claim(&schedule) == ["a"])
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(60))
    }

    @Test func n12_aRepeatingCalendarFiresOnceForAllMissedDays() throws {
        var schedule = try schedule(request("a", .calendar(DateComponents(hour: 9), repeats: true)))
        clock.advance(by: .seconds(5 * 86_400))
        #expect(claim(&schedule, isStart: true) == ["a!"])
        #expect(claim(&schedule, isStart: true) == [])
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(21 * 3_600))
    }

    @Test func n12_anOverdueRequestIsDroppedAndARepeatingOneWaits() throws {
        let nine = DateComponents(hour: 9)
        var schedule = try schedule(
            request("once", .calendar(nine), .drop),
            request("daily", .calendar(nine, repeats: true), .drop),
            request("late", .after(.seconds(10)))
        )
        clock.advance(by: .seconds(86_400))
        #expect(claim(&schedule, isStart: true) == ["late!"])
        #expect(schedule.items.map(\.request.identifier) == ["daily"])
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(21 * 3_600))
    }

    @Test(arguments: [20, 21])
    func n20_aRequestThatFiresTenSecondsLateIsOverdue(_ seconds: Int) throws {
        var schedule = try schedule(request("tea", .after(.seconds(10))))
        clock.advance(by: .seconds(seconds))
        #expect(claim(&schedule) == [seconds > 20 ? "tea!" : "tea"])
    }

    @Test func n13_aCalendarFollowsTheZone() throws {
        // Noon in UTC is nine in the evening in Tokyo.
        let schedule = try schedule(request("a", .calendar(DateComponents(hour: 22))))
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(10 * 3_600))
        clock.setZone(try #require(TimeZone(identifier: "Asia/Tokyo")))
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(3_600))
    }

    @Test func n13_aClockSetForwardFiresTheRequest() throws {
        var schedule = try schedule(request("a", .calendar(DateComponents(hour: 13))))
        clock.setDate(clock.date.addingTimeInterval(3_600))
        #expect(claim(&schedule) == ["a"])
    }

    @Test func n13_aClockSetBackFiresNothingTwice() throws {
        var schedule = try schedule(
            request("a", .calendar(DateComponents(hour: 13), repeats: true))
        )
        clock.advance(by: .seconds(3_600))
        #expect(claim(&schedule) == ["a"])
        clock.setDate(clock.date.addingTimeInterval(-1_800))
        clock.advance(by: .seconds(1_800))
        #expect(claim(&schedule) == [])
        clock.advance(by: .seconds(86_400))
        #expect(claim(&schedule) == ["a"])
    }

    @Test func n13_aClockThatWasAYearAheadSilencesNothing() throws {
        var schedule = try schedule(
            request("a", .calendar(DateComponents(hour: 13), repeats: true))
        )
        clock.setDate(clock.date.addingTimeInterval(365 * 86_400))
        #expect(claim(&schedule) == ["a!"])
        clock.setDate(clock.date.addingTimeInterval(-365 * 86_400))
        #expect(schedule.nextDate(at: now) == clock.date.addingTimeInterval(3_600))
    }

    @Test func n12_oneOwnerClaimsADueRequest() throws {
        var schedule = try schedule(request("a", .after(.seconds(1))))
        clock.advance(by: .seconds(1))
        #expect(schedule.claim(for: "me", at: now, isStart: false).count == 1)
        #expect(schedule.claim(for: "other", at: now, isStart: true).count == 0)
        let kept = schedule.recover(for: "other") { $0 == "me" }
        #expect(kept.lost.isEmpty && kept.resend.isEmpty)
    }

    @Test func n12_requestsOfAKilledOwnerAreListedOrSentAgain() throws {
        var schedule = try schedule(
            request("once", .after(.seconds(1))),
            request("again", .after(.seconds(1)), .deliverAgain)
        )
        clock.advance(by: .seconds(1))
        _ = schedule.claim(for: "killed", at: now, isStart: false)
        let found = schedule.recover(for: "me") { $0 == "me" }
        #expect(found.lost.map(\.request.identifier) == ["once"])
        #expect(found.resend.map(\.request.identifier) == ["again"])
        #expect(schedule.items.map(\.claim) == ["me"])
        #expect(claim(&schedule) == [])
    }

    @Test func n4_anIdentifierIsPendingOnce() throws {
        var schedule = try schedule(
            request("a", .after(.seconds(5))),
            request("a", .after(.seconds(9)))
        )
        #expect(schedule.items.count == 1)
        clock.advance(by: .seconds(5))
        #expect(claim(&schedule) == [])
    }

    @Test func pendingRequestsAreSortedByDate() throws {
        let schedule = try schedule(
            request("late", .after(.seconds(9))),
            request("soon", .after(.seconds(5)))
        )
        #expect(schedule.pending(at: now).map(\.request.identifier) == ["soon", "late"])
        let dates = [5, 9].map { clock.date.addingTimeInterval($0) }
        #expect(schedule.pending(at: now).map(\.nextFireDate) == dates)
    }

    @Test func aScheduleSurvivesEncoding() throws {
        var components = DateComponents(hour: 9, weekday: 2)
        components.timeZone = TimeZone(identifier: "Asia/Tokyo")
        let schedule = try schedule(
            request("a", .after(.milliseconds(90_500), repeats: true)),
            request("b", .calendar(components, repeats: true), .drop)
        )
        let data = try JSONEncoder().encode(schedule)
        #expect(try JSONDecoder().decode(NotificationSchedule.self, from: data) == schedule)
    }
}
