// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// A start whose store cannot be changed at first.
@Suite(.timeLimit(.minutes(5)))
struct LateStartTests {
    private let store = WatchedStore()
    private let clock = ManualNotificationClock()

    private func entry(_ identifier: String, _ number: Int) -> DeliveredNotification {
        DeliveredNotification(
            notification: UserNotification(
                id: .init(identifier: identifier, number: number),
                content: .init(title: "old \(identifier)"),
                date: clock.date
            ),
            handle: NotificationHandle("h"),
            isShown: true,
            owner: "1-never-killed"
        )
    }

    /// What an earlier run has left: three that are listed, and two that wait.
    private func bench(failing count: Int) async throws -> Bench {
        let requests = ["soon", "later"].map { identifier in
            UserNotificationRequest(
                identifier: identifier,
                content: .init(title: identifier),
                trigger: .after(.seconds(identifier == "soon" ? 5 : 86_400))
            )
        }
        try await store.put(requests, at: clock.moment)
        try await store.update { [self] record in
            record.delivered = [entry("a", 7 << 32), entry("b", 7 << 32 + 1)]
            record.badge = 5
            record.runs = 7
        }
        store.fail(count)
        return Bench(store: store, clock: clock)
    }

    private func fail(_ bench: Bench) async throws {
        let failures = MessageRecorder(NotificationStoreFailed.self, on: bench.messages)
        bench.center.start()
        #expect(try await failures.next().error.code == .storeBusy)
        #expect(bench.center.delivered().isEmpty)
    }

    @Test func promise10_whatAnEarlierRunLeftIsListedOnceTheCenterHasStarted() async throws {
        let bench = try await bench(failing: 0)
        #expect(bench.center.delivered().isEmpty)
        await bench.center.started()
        #expect(bench.deliveredTitles == ["old a", "old b"])
    }

    @Test func aStartThatCannotReadItsStoreIsNotWaitedForLonger() async throws {
        let bench = try await bench(failing: .max)
        await bench.center.started()
        #expect(bench.center.delivered().isEmpty)
    }

    @Test func aStartThatFailedIsTriedAgainAtTheNextNeedAndNothingIsLost() async throws {
        let bench = try await bench(failing: .max)
        let before = try await store.read()
        try await fail(bench)
        // What is shown now needs no store, and what it would write waits.
        #expect(try await bench.add("c", "new c") == .accepted())
        _ = await bench.center.pending()
        #expect(try await store.read() == before)
        store.fail(0)
        while bench.center.delivered().count < 3 { _ = await bench.center.pending() }
        #expect(bench.deliveredTitles == ["old a", "old b", "new c"])
        #expect(bench.center.badge() == 5)
        #expect(await bench.center.pending().map(\.id) == ["soon", "later"])
        await bench.center.flush()
        let record = try await store.read()
        #expect(
            record.delivered.map(\.notification.content.title) == ["old a", "old b", "new c"]
        )
        #expect(record.badge == 5 && record.runs > 7)
        #expect(record.delivered.allSatisfy { $0.owner == bench.center.owner })
        let next = Bench(store: store, clock: clock)
        _ = try await next.add("c", "newer c")
        #expect(next.deliveredTitles == ["old a", "old b", "newer c"])
    }

    @Test func promise12_theTickTriesAgainAndWhatIsOverdueFires() async throws {
        let bench = try await bench(failing: 3)
        clock.advance(by: .seconds(6))
        try await fail(bench)
        for _ in 0..<2 {
            try await clock.waitForSchedules()
            clock.advance(by: .seconds(60))
        }
        try await bench.waitForDelivered(3)
        #expect(bench.deliveredTitles == ["old a", "old b", "soon"])
        #expect(bench.center.delivered().map(\.isOverdue) == [false, false, true])
    }

    @Test func promise12_whatIsOverdueByLittleIsMarkedAlsoAfterALateStart() async throws {
        let bench = try await bench(failing: .max)
        clock.advance(by: .seconds(6))
        try await fail(bench)
        try await clock.waitForSchedules()
        store.fail(0)
        // The next need wakes the schedule; no time passes.
        _ = await bench.center.pending()
        try await bench.waitForDelivered(3)
        #expect(bench.center.delivered().map(\.isOverdue) == [false, false, true])
    }

    @Test func nothingIsWrittenBeforeItIsKnownWhatIsLeft() async throws {
        let bench = try await bench(failing: .max)
        clock.advance(by: .seconds(6))
        let before = try await store.read()
        try await fail(bench)
        try await clock.waitForSchedules()
        _ = try await bench.add("a", "new")
        // Its turn comes after whatever that has begun.
        _ = await bench.center.pending()
        // The store works again, for all but one attempt.
        store.fail(1)
        await bench.center.flush()
        #expect(try await store.read() == before)
        store.fail(1)
        clock.advance(by: .seconds(60))
        try await clock.waitForSchedules()
        #expect(try await store.read() == before)
        #expect(bench.deliveredTitles == ["new"])
    }

    @Test func whatWasPostedMeanwhileIsWrittenWithoutBeingAskedFor() async throws {
        store.fail(.max)
        let bench = Bench(store: store, clock: clock)
        try await fail(bench)
        _ = try await bench.add("a", "new")
        _ = await bench.center.pending()
        store.fail(0)
        _ = await bench.center.pending()
        try await store.wait { $0.delivered.map(\.notification.content.title) == ["new"] }
    }

    @Test func promise11_whatWaitsForItsTimeIsRefusedUntilItCanBeKept() async throws {
        let bench = try await bench(failing: .max)
        try await fail(bench)
        do {
            try await bench.post("mine", .after(.seconds(9)))
            Issue.record("It cannot be kept.")
        } catch {
            #expect((error as? UserNotificationError)?.code == .storeBusy)
        }
        await #expect(throws: UserNotificationError.self) {
            try await bench.center.removeAllPending()
        }
        store.fail(0)
        try await bench.post("mine", .after(.seconds(9)))
        #expect(await bench.center.pending().map(\.id) == ["soon", "mine", "later"])
        let numbers = try await store.read().schedule.items.map(\.number)
        #expect(Set(numbers).count == 3)
    }

    @Test(arguments: [["a", "soon"], nil])
    func whatIsRemovedMeanwhileIsGone(_ removed: [String]?) async throws {
        let bench = try await bench(failing: .max)
        try await fail(bench)
        if let removed { bench.center.remove(removed) } else { bench.center.removeAll() }
        // What is posted after that stays.
        _ = try await bench.add("a", "new a")
        store.fail(0)
        let pending = await bench.center.pending().map(\.id)
        #expect(pending == (removed == nil ? [] : ["later"]))
        #expect(bench.deliveredTitles == (removed == nil ? ["new a"] : ["old b", "new a"]))
        await bench.center.flush()
        let record = try await store.read()
        #expect(record.delivered.map(\.notification.content.title) == bench.deliveredTitles)
        #expect(record.schedule.identifiers == Set(pending))
    }

    @Test func promise4_whatIsReplacedMeanwhileStaysReplaced() async throws {
        let bench = try await bench(failing: .max)
        try await fail(bench)
        for identifier in ["a", "b", "soon"] { _ = try await bench.add(identifier, "new") }
        try bench.center.respond(to: "b")
        store.fail(0)
        #expect(await bench.center.pending().map(\.id) == ["later"])
        #expect(bench.center.delivered().map(\.identifier) == ["a", "soon"])
        #expect(bench.deliveredTitles == ["new", "new"])
        await bench.center.flush()
        #expect(
            try await store.read().delivered.map(\.notification.content.title) == ["new", "new"]
        )
    }

    @Test func promise17_aBadgeThatIsClearedMeanwhileStaysCleared() async throws {
        let bench = try await bench(failing: .max)
        try await fail(bench)
        bench.center.setBadge(0)
        store.fail(0)
        _ = await bench.center.pending()
        #expect(bench.center.badge() == 0)
        await bench.center.flush()
        #expect(try await store.read().badge == 0)
    }

    @Test func whatCannotBeWrittenIsWrittenAtTheNextTick() async throws {
        let bench = Bench(store: store, clock: clock)
        let failures = MessageRecorder(NotificationStoreFailed.self, on: bench.messages)
        _ = await bench.center.pending()
        try await clock.waitForSchedules()
        store.setFull(true)
        _ = try await bench.add("a", "a")
        _ = try await failures.next()
        store.setFull(false)
        clock.advance(by: .seconds(60))
        try await store.wait { $0.delivered.count == 1 }
    }

    @Test func aDiskThatIsFullAtTheStartLosesNothing() async throws {
        let place = try AttachmentPlace()
        let first = try await place.bench()
        for number in 1...9 { _ = try await first.add("\(number)", "\(number)") }
        first.center.setBadge(9)
        await first.center.flush()
        let before = place.text(place.path)
        await #expect(processExitsWith: .success) { [path = place.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let before = limit
            limit.rlim_cur = 100
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let bench = Bench(store: FileNotificationStore(path: path))
            let failures = MessageRecorder(NotificationStoreFailed.self, on: bench.messages)
            if try await bench.add("10", "10") != .accepted() { exit(1) }
            if try await failures.next().error.code != .diskFull { exit(2) }
            await bench.center.flush()
            if bench.deliveredTitles != ["10"] { exit(3) }
            limit = before
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            await bench.center.flush()
            if bench.deliveredTitles != (1...10).map({ "\($0)" }) { exit(4) }
            if bench.center.badge() != 9 { exit(5) }
        }
        #expect(before != nil && place.text(place.path) != before)
        #expect(try await place.store.read().delivered.count == 10)
    }
}
