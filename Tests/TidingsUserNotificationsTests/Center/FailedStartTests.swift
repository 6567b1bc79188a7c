// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Starts whose store fails at first.
@Suite(.timeLimit(.minutes(15)))
struct FailedStartTests {
    private let store = ScriptedStore()
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

    /// Returns a center with an earlier record: two delivered and two scheduled notifications.
    private func fixture(failing count: Int) async throws -> CenterFixture {
        let requests = ["soon", "later"].map { identifier in
            UserNotificationRequest(
                identifier: identifier,
                content: .init(title: identifier),
                trigger: .after(.seconds(identifier == "soon" ? 5 : 86_400))
            )
        }
        try await store.schedule(requests, at: clock.moment)
        try await store.update { [self] record in
            record.delivered = [entry("a", 7 << 32), entry("b", 7 << 32 + 1)]
            record.badge = 5
            record.runs = 7
        }
        store.failNext(count)
        return CenterFixture(store: store, clock: clock)
    }

    private func fail(_ fixture: CenterFixture) async throws {
        let failures = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        fixture.center.start()
        #expect(try await failures.next().error.code == .storeBusy)
        #expect(fixture.center.delivered().isEmpty)
    }

    @Test func n10_aStartedCenterListsTheNotificationsOfAnEarlierRun() async throws {
        let fixture = try await fixture(failing: 0)
        #expect(fixture.center.delivered().isEmpty)
        await fixture.center.started()
        #expect(fixture.deliveredTitles == ["old a", "old b"])
    }

    @Test func startedReturnsWhenTheStoreCannotBeRead() async throws {
        let fixture = try await fixture(failing: .max)
        await fixture.center.started()
        #expect(fixture.center.delivered().isEmpty)
    }

    @Test func aFailedStartIsRetriedAndLosesNothing() async throws {
        let fixture = try await fixture(failing: .max)
        let before = try await store.read()
        try await fail(fixture)
        // A request for now needs no store, and the changes are written later.
        #expect(try await fixture.add("c", "new c") == .accepted())
        _ = await fixture.center.pending()
        #expect(try await store.read() == before)
        store.failNext(0)
        while fixture.center.delivered().count < 3 { _ = await fixture.center.pending() }
        #expect(fixture.deliveredTitles == ["old a", "old b", "new c"])
        #expect(fixture.center.badge() == 5)
        #expect(await fixture.center.pending().map(\.request.identifier) == ["soon", "later"])
        await fixture.center.flush()
        let record = try await store.read()
        #expect(
            record.delivered.map(\.notification.content.title) == ["old a", "old b", "new c"]
        )
        #expect(record.badge == 5 && record.runs > 7)
        #expect(record.delivered.allSatisfy { $0.owner == fixture.center.owner })
        let next = CenterFixture(store: store, clock: clock)
        _ = try await next.add("c", "newer c")
        #expect(next.deliveredTitles == ["old a", "old b", "newer c"])
    }

    @Test func n12_theSchedulerRetriesAndFiresOverdueRequests() async throws {
        let fixture = try await fixture(failing: 3)
        clock.advance(by: .seconds(6))
        try await fail(fixture)
        for _ in 0..<2 {
            try await clock.waitForSchedules()
            clock.advance(by: .seconds(60))
        }
        try await fixture.waitForDelivered(3)
        #expect(fixture.deliveredTitles == ["old a", "old b", "soon"])
        #expect(fixture.center.delivered().map(\.isOverdue) == [false, false, true])
    }

    @Test func n12_slightlyOverdueRequestsAreMarkedAfterALateStart() async throws {
        let fixture = try await fixture(failing: .max)
        clock.advance(by: .seconds(6))
        try await fail(fixture)
        try await clock.waitForSchedules()
        store.failNext(0)
        // The next call wakes the scheduler, although no time passes.
        _ = await fixture.center.pending()
        try await fixture.waitForDelivered(3)
        #expect(fixture.center.delivered().map(\.isOverdue) == [false, false, true])
    }

    @Test func nothingIsWrittenBeforeTheRecordIsLoaded() async throws {
        let fixture = try await fixture(failing: .max)
        clock.advance(by: .seconds(6))
        let before = try await store.read()
        try await fail(fixture)
        try await clock.waitForSchedules()
        _ = try await fixture.add("a", "new")
        // The call runs on the task queue after the save that `add` started.
        _ = await fixture.center.pending()
        // One more attempt fails, and the store works after that.
        store.failNext(1)
        await fixture.center.flush()
        #expect(try await store.read() == before)
        store.failNext(1)
        clock.advance(by: .seconds(60))
        try await clock.waitForSchedules()
        #expect(try await store.read() == before)
        #expect(fixture.deliveredTitles == ["new"])
    }

    @Test func requestsBeforeTheStartAreSavedAfterIt() async throws {
        store.failNext(.max)
        let fixture = CenterFixture(store: store, clock: clock)
        try await fail(fixture)
        _ = try await fixture.add("a", "new")
        _ = await fixture.center.pending()
        store.failNext(0)
        _ = await fixture.center.pending()
        try await store.wait { $0.delivered.map(\.notification.content.title) == ["new"] }
    }

    @Test func n11_scheduledRequestsAreRefusedUntilTheStoreWorks() async throws {
        let fixture = try await fixture(failing: .max)
        try await fail(fixture)
        do {
            try await fixture.post("mine", .after(.seconds(9)))
            Issue.record("It cannot be kept.")
        } catch {
            #expect((error as? UserNotificationError)?.code == .storeBusy)
        }
        await #expect(throws: UserNotificationError.self) {
            try await fixture.center.removePending()
        }
        store.failNext(0)
        try await fixture.post("mine", .after(.seconds(9)))
        #expect(
            await fixture.center.pending().map(\.request.identifier) == ["soon", "mine", "later"]
        )
        let numbers = try await store.read().schedule.items.map(\.number)
        #expect(Set(numbers).count == 3)
    }

    @Test(arguments: [["a", "soon"], nil])
    func aRemovalBeforeTheStartIsKept(_ removed: [String]?) async throws {
        let fixture = try await fixture(failing: .max)
        try await fail(fixture)
        if let removed { fixture.center.remove(removed) } else { fixture.center.removeAll() }
        // A request after the removal stays.
        _ = try await fixture.add("a", "new a")
        store.failNext(0)
        let pending = await fixture.center.pending().map(\.request.identifier)
        #expect(pending == (removed == nil ? [] : ["later"]))
        #expect(fixture.deliveredTitles == (removed == nil ? ["new a"] : ["old b", "new a"]))
        await fixture.center.flush()
        let record = try await store.read()
        #expect(record.delivered.map(\.notification.content.title) == fixture.deliveredTitles)
        #expect(record.schedule.identifiers == Set(pending))
    }

    @Test func n4_aReplacementBeforeTheStartIsKept() async throws {
        let fixture = try await fixture(failing: .max)
        try await fail(fixture)
        for identifier in ["a", "b", "soon"] { _ = try await fixture.add(identifier, "new") }
        try fixture.center.respond(to: "b")
        store.failNext(0)
        #expect(await fixture.center.pending().map(\.request.identifier) == ["later"])
        #expect(fixture.center.delivered().map(\.identifier) == ["a", "soon"])
        #expect(fixture.deliveredTitles == ["new", "new"])
        await fixture.center.flush()
        #expect(
            try await store.read().delivered.map(\.notification.content.title) == ["new", "new"]
        )
    }

    @Test func n17_aBadgeClearedBeforeTheStartStaysCleared() async throws {
        let fixture = try await fixture(failing: .max)
        try await fail(fixture)
        fixture.center.setBadge(0)
        store.failNext(0)
        _ = await fixture.center.pending()
        #expect(fixture.center.badge() == 0)
        await fixture.center.flush()
        #expect(try await store.read().badge == 0)
    }

    @Test func aFailedSaveIsRetriedByTheScheduler() async throws {
        let fixture = CenterFixture(store: store, clock: clock)
        let failures = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        _ = await fixture.center.pending()
        try await clock.waitForSchedules()
        store.setFull(true)
        _ = try await fixture.add("a", "a")
        _ = try await failures.next()
        // Another save of the same request may be under way and fails before the disk has room.
        await fixture.center.flush()
        store.setFull(false)
        clock.advance(by: .seconds(60))
        try await store.wait { $0.delivered.count == 1 }
    }

    @Test func aDiskThatIsFullAtTheStartLosesNothing() async throws {
        let folder = try TestFolder()
        let first = try await folder.fixture()
        for number in 1...9 { _ = try await first.add("\(number)", "\(number)") }
        first.center.setBadge(9)
        await first.center.flush()
        let before = folder.text(folder.storePath)
        await #expect(processExitsWith: .success) { [path = folder.storePath as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let before = limit
            limit.rlim_cur = 100
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let fixture = CenterFixture(store: FileNotificationStore(path: path))
            let failures = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
            if try await fixture.add("10", "10") != .accepted() { exit(1) }
            if try await failures.next().error.code != .diskFull { exit(2) }
            await fixture.center.flush()
            if fixture.deliveredTitles != ["10"] { exit(3) }
            limit = before
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            await fixture.center.flush()
            if fixture.deliveredTitles != (1...10).map({ "\($0)" }) { exit(4) }
            if fixture.center.badge() != 9 { exit(5) }
        }
        #expect(before != nil && folder.text(folder.storePath) != before)
        #expect(try await folder.store.read().delivered.count == 10)
    }
}
