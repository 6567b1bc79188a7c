// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// The availability of the backend, for which no call waits.
@Suite(.timeLimit(.minutes(5)))
struct AvailabilityTests {
    @Test func n2_withoutADaemonNotificationsAreListed() async throws {
        let fixture = CenterFixture(backend: ScriptedBackend(.unavailable("No daemon.")))
        let changes = MessageRecorder(
            UserNotificationAuthorizationChanged.self,
            on: fixture.messages
        )
        fixture.center.start()
        #expect(try await changes.next().status == .unavailable)
        #expect(try await fixture.add("1", "hello") == .unavailable("No daemon."))
        #expect(fixture.deliveredTitles == ["hello"])
        #expect(try await fixture.center.authorizationStatus() == .unavailable)
        let settings = try await fixture.center.settings()
        #expect(settings.allowed.isEmpty)
        // The backend is unavailable, but the user has not denied notifications.
        try await fixture.center.requestAuthorization()
    }

    @Test func n2_aChangeOfAvailabilityIsPosted() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        let changes = MessageRecorder(
            UserNotificationAuthorizationChanged.self,
            on: fixture.messages
        )
        backend.send(.availabilityChanged(.unavailable("It has gone.")))
        #expect(try await changes.next().status == .unavailable)
        backend.send(.availabilityChanged(.unavailable("It has gone.")))
        backend.send(.availabilityChanged(.available))
        #expect(try await changes.next().status == .authorized)
        #expect(try await fixture.center.settings().allowed.contains(.alert))
    }

    @Test func n2_aDeniedProgramPostsNoAvailability() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend, store: InMemoryNotificationStore(.denied))
        let changes = MessageRecorder(
            UserNotificationAuthorizationChanged.self,
            on: fixture.messages
        )
        backend.send(.availabilityChanged(.unavailable("It has gone.")))
        #expect(try await fixture.center.authorizationStatus() == .denied)
        try await fixture.center.setAuthorization(.granted)
        #expect(changes.messages.map(\.status).last == .unavailable)
    }

    @Test func n3_noCallWaitsForTheBackend() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let fixture = CenterFixture(backend: backend)
        let receipt = try await fixture.post("1", "first")
        _ = try await backend.calls.next()
        // The first call of `show` has started and does not return.
        let others = [try await fixture.post("1", "second"), try await fixture.post("2", "other")]
        _ = try await fixture.center.settings()
        _ = await fixture.center.pending()
        try await fixture.center.removePending()
        fixture.center.setBadge(2)
        fixture.center.remove(["2"])
        #expect(fixture.center.delivered().map(\.identifier) == ["1"])
        gate.open()
        #expect(await receipt.outcome == .accepted())
        #expect(await others[0].outcome == .accepted())
    }

    @Test func n5_aReceiptListsWhatWasLeftOut() async throws {
        let backend = ScriptedBackend(.accepted(degraded: [.actions, .image]))
        let fixture = CenterFixture(backend: backend)
        let outcome = try await fixture.add("1")
        #expect(outcome == .accepted(degraded: [.image, .actions]))
        #expect(UserNotificationFeatures([.image, .actions]).description == "actions, image")
    }

    @Test func settingsAreWhatIsAllowedAndWhatCanBeShown() async throws {
        let backend = ScriptedBackend(features: [.body, .badge])
        let fixture = CenterFixture(backend: backend)
        try await fixture.center.requestAuthorization([.alert, .sound])
        let settings = try await fixture.center.settings()
        #expect(settings.status == .authorized)
        #expect(settings.allowed == .alert)
        #expect(settings.features == [.body, .badge])
    }

    @Test func onlyAllowedFeaturesAreUsed() async throws {
        let store = ScriptedStore(nil)
        let fixture = CenterFixture(store: store) { _ in .granted }
        try await fixture.center.requestAuthorization([.alert])
        fixture.center.setBadge(3)
        _ = try await fixture.add("1")
        #expect(fixture.center.delivered().map(\.presentation) == [[.banner, .list]])
        #expect(fixture.backend.badge == 0)
        try await store.wait { $0.allowed == [.alert] }
        let next = CenterFixture(store: store)
        _ = try await next.add("1")
        #expect(next.center.delivered().map(\.presentation) == [[.banner, .list]])
    }
}
