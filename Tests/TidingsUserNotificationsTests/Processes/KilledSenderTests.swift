// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// A process that is killed while it sends what is due, and the next one.
@Suite(.timeLimit(.minutes(5)))
struct KilledSenderTests {
    /// Where the process ends.
    enum Moment: String, Codable, CaseIterable, Sendable {
        /// What is due is claimed on disk, and the program is asked how to show it.
        case claimed
        /// It is on its way to whoever shows it.
        case sending
        /// It is on its way, and on disk in the list of what is delivered.
        case listed
        /// It was shown, and where it is seen is on disk.
        case shown
    }

    /// A backend that ends the process.
    struct Deadly: NotificationBackend {
        let path: String
        let moment: Moment

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

    private let place: AttachmentPlace

    init() throws {
        place = try AttachmentPlace()
    }

    private func killAt(_ moment: Moment, _ policy: OverduePolicy) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = place.path as String, moment = moment as Moment,
                policy = policy as OverduePolicy
            ] in
            let center = ProcessTests.center(path, Deadly(path: path, moment: moment))
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
            // Of what was shown the process knows where it is seen.
            while true {
                let record = try await FileNotificationStore(path: path).read()
                if record.delivered.first?.handle != nil, record.schedule.items.isEmpty { break }
            }
            kill(getpid(), SIGKILL)
        }
    }

    @Test(arguments: [Moment.claimed, .sending, .listed])
    func promise12_whatMayNotHaveBeenShownIsListedAsOverdueAndNotSentAgain(
        _ moment: Moment
    ) async throws {
        await killAt(moment, .deliver)
        let bench = try await place.bench()
        #expect(await bench.center.pending().isEmpty)
        try await bench.waitForDelivered(1)
        #expect(bench.deliveredTitles == ["tea"])
        #expect(bench.center.delivered().map(\.isOverdue) == [true])
        // The next round comes after this one.
        bench.clock.advance(by: .seconds(60))
        try await bench.clock.waitForSchedules()
        #expect(bench.backend.shown.isEmpty)
        await bench.center.flush()
        #expect(try await place.store.read().schedule.items.isEmpty)
    }

    @Test(arguments: [Moment.claimed, .sending, .listed])
    func promise12_whatIsToBeSentAgainIs(_ moment: Moment) async throws {
        await killAt(moment, .deliverAgain)
        let bench = try await place.bench()
        bench.center.start()
        while bench.backend.shown.isEmpty { _ = try await bench.changes.next() }
        #expect(bench.shownTitles == ["tea"] && bench.deliveredTitles == ["tea"])
        #expect(bench.center.delivered().map(\.isOverdue) == [true])
    }

    @Test func promise10_whatAKilledProcessHasShownIsTakenOver() async throws {
        await killAt(.shown, .deliver)
        let backend = ScriptedBackend(stillShown: ["1"])
        let bench = Bench(backend: backend, store: place.store)
        bench.center.start()
        #expect(try await backend.calls.next().text == "restore 1=bus 7")
        try await bench.waitForDelivered(1)
        await bench.center.flush()
        let id = try #require(bench.center.delivered().first?.id)
        #expect(bench.center.delivered().map(\.isOverdue) == [false])
        #expect(try await place.store.read().delivered.map(\.handle?.text) == ["again bus 7"])
        backend.tell(.responded(id, .open))
        #expect(bench.responses.messages.map(\.notification.id) == [id])
        #expect(try await backend.calls.next().text == "close 1")
    }
}
