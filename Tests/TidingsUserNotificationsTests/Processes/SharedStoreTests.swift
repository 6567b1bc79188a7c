// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Two programs on one store, each with a separate store object and backend, as in two processes.
@Suite(.timeLimit(.minutes(15)))
struct SharedStoreTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Returns two started centers with permission for notifications.
    private func pair() async throws -> (one: CenterFixture, other: CenterFixture) {
        let (one, other) = (try await folder.fixture(), try await folder.fixture())
        await one.center.started()
        await other.center.started()
        return (one, other)
    }

    /// Returns a started center with a backend that records all calls.
    private func recorded(
        _ handle: String
    ) async throws -> (fixture: CenterFixture, backend: ScriptedBackend) {
        let backend = ScriptedBackend(.accepted(handle: NotificationHandle(handle)))
        let fixture = CenterFixture(backend: backend, store: folder.store)
        try await fixture.center.setAuthorization(.granted)
        await fixture.center.started()
        return (fixture, backend)
    }

    private func scheduled() async throws -> [String] {
        try await folder.store.read().schedule.items.map(\.request.identifier)
    }

    @Test func n4_aPostReplacesTheRequestThatAnotherProcessScheduled() async throws {
        let (one, other) = try await pair()
        try await other.post("x", .after(.seconds(30)))
        #expect(try await one.add("x", "now") == .accepted())
        await one.center.flush()
        #expect(try await scheduled() == [])
        other.clock.advance(by: .seconds(30))
        #expect(await other.center.pending().isEmpty)
        try await other.waitForDelivered(1)
        #expect(other.deliveredTitles == ["now"] && other.backend.shown.isEmpty)
    }

    @Test func n4_aPostReplacesTheBubbleOfAnotherProcess() async throws {
        let ((one, _), (other, backend)) = (try await recorded("1"), try await recorded("2"))
        _ = try await other.add("x", "old")
        await other.center.flush()
        _ = try await one.add("x", "new")
        try await backend.wait(for: "close x")
        #expect(other.deliveredTitles == ["new"] && one.deliveredTitles == ["new"])
        #expect(other.closes.messages.isEmpty)
    }

    /// A bubble that stays, because a daemon with tags replaces the bubble itself.
    @Test func n4_aBubbleThatBothProcessesShareStays() async throws {
        let ((one, _), (other, backend)) = (try await recorded("1"), try await recorded("1"))
        _ = try await other.add("x", "old")
        await other.center.flush()
        _ = try await one.add("x", "new")
        await one.center.flush()
        while other.deliveredTitles != ["new"] { _ = try await other.changes.next() }
        _ = try await one.add("y")
        try await other.waitForDelivered(2)
        #expect(!backend.calls.messages.map(\.text).contains("close x"))
    }

    @Test(arguments: [["x", "y"], nil])
    func n18_aRemovalReachesWhatAnotherProcessScheduled(_ identifiers: [String]?) async throws {
        let (one, other) = try await pair()
        try await other.post("x", .after(.seconds(30)))
        if let identifiers { one.center.remove(identifiers) } else { one.center.removeAll() }
        await one.center.flush()
        #expect(try await scheduled() == [])
        other.clock.advance(by: .seconds(30))
        #expect(await other.center.pending().isEmpty)
        await other.center.flush()
        #expect(other.backend.shown.isEmpty && other.center.delivered().isEmpty)
    }

    @Test(arguments: [["x", "y"], nil])
    func n18_aRemovalReachesWhatAnotherProcessShows(_ identifiers: [String]?) async throws {
        let ((one, _), (other, backend)) = (try await recorded("1"), try await recorded("2"))
        _ = try await other.add("x", "bubble")
        await other.center.flush()
        if let identifiers { one.center.remove(identifiers) } else { one.center.removeAll() }
        try await backend.wait(for: "close x")
        await one.center.flush()
        #expect(one.center.delivered().isEmpty && other.center.delivered().isEmpty)
        #expect(try await folder.store.read().delivered.isEmpty)
    }

    @Test func n18_aListedNotificationOfAnotherProcessIsSharedWithItsState() async throws {
        let (one, other) = try await pair()
        _ = try await one.add("x", "shared")
        try await other.waitForDelivered(1)
        other.center.markRead()
        while one.center.unreadCount() > 0 { _ = try await one.changes.next() }
        // The second process has not seen the handle when it marks the notification as read.
        await one.center.flush()
        await other.center.flush()
        let entry = try #require(try await folder.store.read().delivered.first)
        #expect(entry.isShown && entry.handle != nil && entry.notification.isRead)
    }

    @Test func n18_aResponseInAnotherProcessClosesTheBubble() async throws {
        let ((one, backend), (other, _)) = (try await recorded("1"), try await recorded("2"))
        _ = try await one.add("x", "shared")
        try await other.waitForDelivered(1)
        try other.center.respond(to: "x")
        try await backend.wait(for: "close x")
        #expect(one.center.delivered().isEmpty && one.responses.messages.isEmpty)
    }

    /// A request whose title is the date at which the request is due.
    @Test func n20_aLivingProcessSendsTheRequestOfADeadOne() async throws {
        let messages = MessageCenter()
        let changes = MessageRecorder(UserNotificationListChanged.self, on: messages)
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Process", name: "Process"),
            backend: UserNotificationInMemoryBackend(),
            messages: messages,
            store: folder.store
        ) { _ in .granted }
        try await center.requestAuthorization()
        await center.started()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.storePath as String] in
            let due = Date().timeIntervalSince1970 + 2
            let tea = request("tea", .after(.seconds(2)), title: "\(due)")
            _ = try await ProcessTests.center(path).add(tea)
            kill(getpid(), SIGKILL)
        }
        while center.delivered().isEmpty { _ = try await changes.next() }
        let tea = try #require(center.delivered().first)
        let due = try #require(Double(tea.content.title))
        #expect(tea.date.timeIntervalSince1970 >= due)
    }

    /// A request of a dead process, while the clocks of both processes stand at one date.
    @Test func n20_aLivingProcessSendsTheRequestOfADeadOneWhenItIsDue() async throws {
        let living = try await folder.fixture()
        await living.center.started()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.storePath as String] in
            let dead = ProcessTests.center(path, clock: ManualNotificationClock())
            _ = try await dead.add(request("tea", .after(.seconds(2))))
            kill(getpid(), SIGKILL)
        }
        living.clock.advance(by: .seconds(2))
        try await living.waitForDelivered(1)
        let tea = try #require(living.center.delivered().first)
        #expect(tea.identifier == "tea" && tea.date == living.clock.date && !tea.isOverdue)
    }

    @Test func n22_anAnswerInAnotherProcessHoldsHere() async throws {
        let (one, other) = try await pair()
        let statuses = MessageRecorder(
            UserNotificationAuthorizationChanged.self,
            on: other.messages
        )
        try await one.center.setAuthorization(.denied)
        while try await statuses.next().status != .denied {}
        await #expect(throws: UserNotificationError.self) { try await other.post("x") }
        try await one.center.setAuthorization(.granted)
        while try await statuses.next().status != .authorized {}
        #expect(try await other.add("x") == .accepted())
    }

    @Test func n22_anAnswerInAnotherProcessEndsAnOpenQuestion() async throws {
        let (asked, gate) = (Gate(), Gate())
        let other = CenterFixture(store: folder.store) { _ in
            asked.open()
            try? await gate.wait()
            return nil
        }
        await other.center.started()
        async let answer = other.center.requestAuthorization()
        try await asked.wait()
        let one = CenterFixture(store: folder.store)
        try await one.center.setAuthorization(.granted)
        #expect(try await answer == .authorized)
    }

    @Test func n22_aPermissionGrantedInAnotherProcessHoldsHere() async throws {
        let (one, other) = try await pair()
        try await one.center.requestAuthorization([.alert])
        try await other.center.requestAuthorization([.sound])
        await one.center.flush()
        await other.center.flush()
        let allowed = try await folder.store.read().allowed
        #expect(allowed == [.alert, .sound])
        _ = await one.center.pending()
        let next = CenterFixture(store: folder.store)
        await next.center.started()
        #expect(try await next.center.settings().allowed.contains(.sound))
    }

    @Test func n18_noProcessOverwritesTheBadgeOfAnother() async throws {
        let (one, other) = try await pair()
        one.center.setBadge(3)
        await one.center.flush()
        _ = try await other.add("x")
        await other.center.flush()
        #expect(try await folder.store.read().badge == 3)
        _ = await other.center.pending()
        #expect(other.center.badge() == 3)
    }
}

extension ScriptedBackend {
    fileprivate func wait(for text: String) async throws {
        while try await calls.next().text != text {}
    }
}
