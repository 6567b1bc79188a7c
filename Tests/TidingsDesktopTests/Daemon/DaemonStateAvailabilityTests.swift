// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct DaemonStateAvailabilityTests {
    @Test func n2_withoutADaemonOrAServiceItIsUnavailable() {
        var state = DaemonState()
        _ = state.connect()
        #expect(state.availability == nil)
        let actions = state.opened(server: "bus", owner: nil, isActivatable: false)
        guard case .unavailable? = state.availability else {
            Issue.record("\(String(describing: state.availability))")
            return
        }
        #expect(actions.events.count == 1)
    }

    @Test func n2_anActivatableDaemonIsAvailableUntilItsStartFails() {
        var state = DaemonState()
        _ = state.connect()
        _ = state.opened(server: "bus", owner: nil, isActivatable: true)
        #expect(state.availability == .available)
        #expect(state.show(.init(notification: .sample(), ticket: 1)) == [.start])
        #expect(state.show(.init(notification: .sample("b"), ticket: 2)).isEmpty)
        let failed = state.startFailed("broken", isActivatable: true)
        #expect(failed.settled == [1: .unavailable("broken"), 2: .unavailable("broken")])
        #expect(failed.events == [.availabilityChanged(.unavailable("broken"))])
        let show = state.show(.init(notification: .sample(), ticket: 3))
        #expect(show == [.settle(3, .unavailable("broken"))])
        state.allowStart()
        #expect(state.show(.init(notification: .sample(), ticket: 4)) == [.start])
        // The state waits for a new start again.
        #expect(state.show(.init(notification: .sample("b"), ticket: 5)).isEmpty)
    }

    @Test func n2_aDaemonThatDoesNotAppearIsWaitedForOnce() {
        var state = DaemonState()
        _ = state.connect()
        _ = state.opened(server: "bus", owner: nil, isActivatable: true)
        #expect(state.startTimedOut("early").isEmpty)
        #expect(state.show(.init(notification: .sample(), ticket: 1)) == [.start])
        let late = state.startTimedOut("late")
        #expect(late.settled == [1: .unavailable("late")])
        #expect(late.events == [.availabilityChanged(.unavailable("late"))])
        let show = state.show(.init(notification: .sample(), ticket: 2))
        #expect(show == [.settle(2, .unavailable("late"))])
        #expect(state.ownerChanged(to: ":1.1").events == [.availabilityChanged(.available)])
        #expect(state.show(.init(notification: .sample(), ticket: 3)).isEmpty)
        #expect(!state.described(owner: ":1.1", .plain).notifies.isEmpty)
    }

    @Test func n2_ownerChangesAreReported() {
        var state = DaemonState()
        _ = state.connect()
        _ = state.opened(server: "bus", owner: nil, isActivatable: false)
        #expect(
            state.ownerChanged(to: ":1.5").events == [.availabilityChanged(.available)]
        )
        #expect(state.ownerChanged(to: ":1.5").isEmpty)
        #expect(state.ownerChanged(to: nil).events.count == 1)
    }

    @Test func n2_callersOfAnUnresponsiveBusGetTheReasonAtOnce() {
        var state = DaemonState()
        #expect(state.connect() == [.open])
        let lost = state.lost("silent", isUnresponsive: true)
        #expect(lost == [.deliver(.availabilityChanged(.unavailable("silent")))])
        for isOpening in [false, true] {
            if isOpening { #expect(state.connect(isRetry: true) == [.open]) }
            let show = state.show(.init(notification: .sample(), ticket: 1))
            #expect(show == [.settle(1, .unavailable("silent"))])
            #expect(state.connect() == [])
            #expect(state.availability == .unavailable("silent"))
        }
        _ = state.opened(server: "bus", owner: ":1.1", isActivatable: false)
        #expect(state.availability == .available)
        _ = state.described(owner: ":1.1", .plain)
        #expect(!state.show(.init(notification: .sample(), ticket: 2)).notifies.isEmpty)
    }

    @Test func changedFeaturesAreReported() {
        var state = DaemonState()
        _ = state.connect()
        _ = state.opened(server: "bus", owner: ":1.5", isActivatable: false)
        let events = state.described(owner: ":1.5", .full).events
        #expect(events == [.availabilityChanged(.available)])
        #expect(state.features.contains([.sound, .textReply, .image]))
    }

    @Test func anUndescribedOwnerIsAskedAgainWhileACallerWaits() {
        var state = DaemonState()
        _ = state.connect()
        _ = state.opened(server: "bus", owner: ":1.5", isActivatable: false)
        #expect(state.show(.init(notification: .sample(), ticket: 1)).isEmpty)
        #expect(state.described(owner: ":1.5", nil) == [.describe(owner: ":1.5")])
        guard case .unavailable? = state.expired(1).settled[1] else {
            Issue.record("The ticket is not settled.")
            return
        }
        #expect(state.entries.isEmpty)
        #expect(state.described(owner: ":1.5", nil).isEmpty)
        #expect(
            state.show(.init(notification: .sample(), ticket: 2)) == [.describe(owner: ":1.5")]
        )
    }

    @Test func theDescriptionOfAnEarlierOwnerIsIgnored() {
        var state = DaemonState()
        _ = state.connect()
        _ = state.opened(server: "bus", owner: ":1.5", isActivatable: false)
        _ = state.ownerChanged(to: ":1.6")
        #expect(state.described(owner: ":1.5", .full).isEmpty)
        #expect(state.daemon?.capabilities == nil)
    }

    @Test func n10_onlyNotificationsOfTheSameDaemonProcessAreClaimed() {
        let known = DaemonHandle(server: "bus", owner: ":1.1", id: 3)
        for (handle, isClaimed) in [
            (known.handle, true),
            (DaemonHandle(server: "other", owner: ":1.1", id: 3).handle, false),
            (DaemonHandle(server: "bus", owner: ":1.2", id: 3).handle, false),
            (NotificationHandle("fdo1 bus :1.1 0"), false), (NotificationHandle(""), false),
            (NotificationHandle("fdo1 bus :1.1 3 4"), false),
        ] {
            var state = DaemonState.ready()
            let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
            let actions = state.claim([(posting, handle)], closed: [])
            #expect(actions.notifies.map(\.replaced) == (isClaimed ? [3] : []))
            #expect(actions.settled.isEmpty == isClaimed)
        }
    }

    @Test func n10_aClaimIsNotSentToABroadcastingDaemon() {
        let capabilities = DaemonCapabilities(["actions"], server: "Xfce Notify Daemon")
        var state = DaemonState.ready(":1.1", capabilities)
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        let actions = state.claim([(posting, handle)], closed: [])
        #expect(actions == [.settle(1, .accepted(handle: handle))])
        #expect(!state.received(.invoked(3, key: "default"), from: ":1.1").events.isEmpty)
    }

    @Test func n10_notificationsThatTheDaemonClosedOnDisconnectAreNotShownAgain() {
        let capabilities = DaemonCapabilities(["actions"], server: "gnome-shell")
        var state = DaemonState.ready(":1.1", capabilities)
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        let actions = state.claim([(posting, handle)], closed: [])
        #expect(actions.notifies.isEmpty && actions.settled[1]?.isRefused == true)
        #expect(state.entries.isEmpty)
    }

    @Test func n10_aClaimIsSilent() {
        var state = DaemonState.ready(":1.1", .full)
        let loud = UserNotification.sample { $0.sound = .default }
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: loud, ticket: 1, isClaim: true)
        let hints = state.claim([(posting, handle)], closed: []).notifies.first?.arguments.hints
        #expect(hints?["suppress-sound"] == .bool(true) && hints?["sound-name"] == nil)
    }

    @Test func n10_notificationsThatTheDaemonClosedStayClosed() {
        var state = DaemonState.ready()
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        #expect(state.claim([(posting, handle)], closed: [3]).notifies.isEmpty)
        #expect(state.entries.isEmpty)
    }
}
