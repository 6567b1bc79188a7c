// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// What a program knows of whoever shows its notifications, and that it waits for nobody.
@Suite(.timeLimit(.minutes(5)))
struct AvailabilityTests {
    @Test func promise2_withoutAnybodyTheListHasItAll() async throws {
        let bench = Bench(backend: ScriptedBackend(.unavailable("No daemon.")))
        let changes = MessageRecorder(AuthorizationChanged.self, on: bench.messages)
        bench.center.start()
        #expect(try await changes.next().status == .unavailable)
        #expect(try await bench.add("1", "hello") == .unavailable("No daemon."))
        #expect(bench.deliveredTitles == ["hello"])
        #expect(try await bench.center.authorizationStatus() == .unavailable)
        let settings = try await bench.center.settings()
        #expect(!settings.alert && !settings.sound && !settings.badge)
        // It is the system that cannot, not the person who does not want.
        try await bench.center.requestAuthorization()
    }

    @Test func promise2_aChangeIsTold() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        let changes = MessageRecorder(AuthorizationChanged.self, on: bench.messages)
        backend.tell(.availabilityChanged(.unavailable("It has gone.")))
        #expect(try await changes.next().status == .unavailable)
        backend.tell(.availabilityChanged(.unavailable("It has gone.")))
        backend.tell(.availabilityChanged(.available))
        #expect(try await changes.next().status == .authorized)
        #expect(try await bench.center.settings().alert)
    }

    @Test func promise2_whoHasSaidNoIsNotToldOfIt() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend, store: InMemoryNotificationStore(.denied))
        let changes = MessageRecorder(AuthorizationChanged.self, on: bench.messages)
        backend.tell(.availabilityChanged(.unavailable("It has gone.")))
        #expect(try await bench.center.authorizationStatus() == .denied)
        try await bench.center.setAuthorization(.granted)
        #expect(changes.messages.map(\.status).last == .unavailable)
    }

    @Test func promise3_noCallWaitsForWhoShows() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let bench = Bench(backend: backend)
        let receipt = try await bench.post("1", "first")
        _ = try await backend.calls.next()
        // It has begun and does not return.
        let others = [try await bench.post("1", "second"), try await bench.post("2", "other")]
        _ = try await bench.center.settings()
        _ = await bench.center.pending()
        try await bench.center.removeAllPending()
        bench.center.setBadge(2)
        bench.center.remove(["2"])
        #expect(bench.center.delivered().map(\.identifier) == ["1"])
        gate.open()
        #expect(await receipt.outcome == .accepted())
        #expect(await others[0].outcome == .accepted())
    }

    @Test func promise5_aReceiptListsWhatWasLeftOut() async throws {
        let backend = ScriptedBackend(.accepted(degraded: [.actions, .image]))
        let bench = Bench(backend: backend)
        let outcome = try await bench.add("1")
        #expect(outcome == .accepted(degraded: [.image, .actions]))
        #expect(NotificationFeatures([.image, .actions]).description == "actions, image")
    }

    @Test func settingsAreWhatIsAllowedAndWhatCanBeShown() async throws {
        let backend = ScriptedBackend(features: [.body, .badge])
        let bench = Bench(backend: backend)
        try await bench.center.requestAuthorization([.alert, .sound])
        let settings = try await bench.center.settings()
        #expect(settings.status == .authorized && settings.alert)
        #expect(!settings.sound && !settings.badge)
        #expect(settings.features == [.body, .badge])
    }

    @Test func whatWasNotAllowedIsNeitherHeardNorCounted() async throws {
        let store = WatchedStore(nil)
        let bench = Bench(store: store) { _ in .granted }
        try await bench.center.requestAuthorization([.alert])
        bench.center.setBadge(3)
        _ = try await bench.add("1")
        #expect(bench.center.delivered().map(\.presentation) == [[.banner, .list]])
        #expect(bench.backend.badge == 0)
        try await store.wait { $0.allowed == [.alert] }
        let next = Bench(store: store)
        _ = try await next.add("1")
        #expect(next.center.delivered().map(\.presentation) == [[.banner, .list]])
    }
}
