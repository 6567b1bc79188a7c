// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// A process that is killed while sending a due request, and the process after it.
@Suite(.timeLimit(.minutes(15)))
struct KilledSenderTests {
    /// The moment at which the process is killed.
    enum KillMoment: String, Codable, CaseIterable, Sendable {
        /// The claim is stored, and the program is asked how to present the notification.
        case claimed
        /// The backend is called.
        case sending
        /// The backend is called, and the store lists the notification as delivered.
        case listed
        /// The notification is shown, and the handle is stored.
        case shown
    }

    /// A backend that kills the process.
    struct KillingBackend: NotificationBackend {
        let path: String
        let moment: KillMoment

        func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {}
        func close(_ identifier: String) async {}
        func setBadge(_ count: Int) async {}

        func show(_ notification: UserNotification) async -> NotificationBackendResult {
            if moment == .shown { return .accepted(handle: NotificationHandle("bus 7")) }
            while moment == .listed {
                let record = try? await FileNotificationStore(path: path).read()
                if record?.delivered.isEmpty == false { break }
            }
            kill(getpid(), SIGKILL)
            return .refused("It is dead.")
        }
    }

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func killAt(_ moment: KillMoment, _ policy: UserNotificationOverduePolicy) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = folder.storePath as String, moment = moment as KillMoment,
                policy = policy as UserNotificationOverduePolicy
            ] in
            let center = ProcessTests.center(path, KillingBackend(path: path, moment: moment))
            if moment == .claimed {
                center.isInFront = true
                center.willPresent = { _ in
                    kill(getpid(), SIGKILL)
                    return []
                }
            }
            try await center.requestAuthorization()
            let tea = request("1", .after(.milliseconds(1)), policy, title: "tea")
            _ = try await center.add(tea)
            // The loop waits until the handle of the shown notification is stored.
            while true {
                let record = try await FileNotificationStore(path: path).read()
                if record.delivered.first?.handle != nil, record.schedule.items.isEmpty { break }
            }
            kill(getpid(), SIGKILL)
        }
    }

    @Test(arguments: [KillMoment.claimed, .sending, .listed])
    func n12_uncertainRequestsAreListedAsOverdueAndNotSentAgain(
        _ moment: KillMoment
    ) async throws {
        await killAt(moment, .deliver)
        let fixture = try await folder.fixture()
        #expect(await fixture.center.pending().isEmpty)
        try await fixture.waitForDelivered(1)
        // A notification that was already listed is marked by the scheduler's first pass.
        while fixture.center.delivered().first?.isOverdue != true {
            _ = try await fixture.changes.next()
        }
        #expect(fixture.deliveredTitles == ["tea"])
        #expect(fixture.center.delivered().map(\.isOverdue) == [true])
        // The pass at the start has ended when the next pass starts.
        fixture.clock.advance(by: .seconds(60))
        try await fixture.clock.waitForSchedules()
        #expect(fixture.backend.shown.isEmpty)
        await fixture.center.flush()
        #expect(try await folder.store.read().schedule.items.isEmpty)
    }

    @Test(arguments: [KillMoment.claimed, .sending, .listed])
    func n12_deliverAgainSendsAgain(_ moment: KillMoment) async throws {
        await killAt(moment, .deliverAgain)
        let store = ScriptedStore(over: folder.store)
        let fixture = CenterFixture(store: store)
        try await fixture.center.setAuthorization(.granted)
        fixture.center.start()
        // The list changes before the notification is shown, and the store changes after that.
        while fixture.backend.shown.isEmpty { _ = try await store.changes.next() }
        #expect(fixture.shownTitles == ["tea"] && fixture.deliveredTitles == ["tea"])
        #expect(fixture.center.delivered().map(\.isOverdue) == [true])
    }

    @Test func n10_aRunTakesOverTheNotificationsOfAKilledProcess() async throws {
        await killAt(.shown, .deliver)
        let backend = ScriptedBackend(stillShown: ["1"])
        let fixture = CenterFixture(backend: backend, store: folder.store)
        fixture.center.start()
        #expect(try await backend.calls.next().text == "restore 1=bus 7")
        try await fixture.waitForDelivered(1)
        await fixture.center.flush()
        let id = try #require(fixture.center.delivered().first?.id)
        #expect(fixture.center.delivered().map(\.isOverdue) == [false])
        #expect(try await folder.store.read().delivered.map(\.handle?.text) == ["again bus 7"])
        backend.send(.responded(id, .open))
        #expect(fixture.responses.messages.map(\.notification.id) == [id])
        #expect(try await backend.calls.next().text == "close 1")
    }
}
