// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct DaemonStateTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    @Test func theFirstPostConnectsAndIsSentOnceTheDaemonIsKnown() {
        var state = DaemonState()
        #expect(state.show(.init(notification: .sample(), ticket: 7)) == [.open])
        #expect(state.connect().isEmpty)
        let opened = state.opened(server: "bus", owner: ":1.1", isActivatable: false)
        #expect(opened.contains(.describe(owner: ":1.1")))
        #expect(opened.notifies.isEmpty)
        let notify = state.described(owner: ":1.1", .plain).notifies
        #expect(notify.map(\.replaced) == [0])
        #expect(notify.map(\.owner) == [":1.1"])
    }

    @Test func theResultHasTheHandle() {
        var state = DaemonState.ready()
        let notify = state.show(.init(notification: .sample(), ticket: 7)).notifies
        let result = state.notifyReturned(notify[0].number, .success(5)).settled[7]
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 5).handle
        #expect(result == .accepted(degraded: [], handle: handle))
    }

    @Test func n4_ofTwoRacingPostsTheLaterOneStays() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        #expect(state.show(.init(notification: .sample("a", 2), ticket: 2)).isEmpty)
        let third = state.show(.init(notification: .sample("a", 3), ticket: 3))
        #expect(third.settled.keys.sorted() == [2])
        let next = state.notifyReturned(first[0].number, .success(9))
        #expect(next.notifies.map(\.replaced) == [9])
        _ = state.notifyReturned(next.notifies[0].number, .success(9))
        #expect(state.identifiersByID == [9: "a"])
        #expect(state.entries["a"]?.visible?.delivery.number == 3)
    }

    @Test func n4_closingBeforeTheIDIsKnownClosesLater() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample(), ticket: 1)).notifies
        #expect(state.close("a").isEmpty)
        #expect(state.notifyReturned(first[0].number, .success(3)).closes == [3])
        #expect(state.entries.isEmpty && state.identifiersByID.isEmpty)
    }

    @Test func n4_aNewIDForAReplacementVoidsTheOldOne() {
        var state = DaemonState.ready()
        state.show(.sample("a", 1), as: 3)
        state.show(.sample("a", 2), as: 4)
        #expect(state.received(.invoked(3, key: "default"), from: ":1.1").isEmpty)
        #expect(!state.received(.invoked(4, key: "default"), from: ":1.1").events.isEmpty)
    }

    @Test func n7_onlyTheOwnersSignalsAboutOurIDsCount() {
        var state = DaemonState.ready()
        state.show(.sample(), as: 3)
        #expect(state.received(.invoked(3, key: "default"), from: ":1.9").isEmpty)
        #expect(state.received(.invoked(3, key: "default"), from: nil).isEmpty)
        #expect(state.received(.closed(3, .dismissed), from: ":1.9").isEmpty)
        #expect(state.received(.invoked(4, key: "default"), from: ":1.1").isEmpty)
        #expect(state.received(.invoked(3, key: "unknown"), from: ":1.1").isEmpty)
        let mine = state.received(.invoked(3, key: "default"), from: ":1.1")
        #expect(mine.events == [.responded(a, .open, activationToken: nil)])
    }

    @Test func n8_theFirstResponseClosesAndLaterSignalsAreIgnored() {
        var state = DaemonState.ready()
        state.show(.sample(actions: [.init("play", title: "Play")]), as: 3)
        _ = state.received(.token(3, "tok"), from: ":1.1")
        let first = state.received(.invoked(3, key: "play"), from: ":1.1")
        #expect(first.events == [.responded(a, .custom("play"), activationToken: "tok")])
        #expect(first.closes == [3])
        #expect(state.received(.invoked(3, key: "default"), from: ":1.1").isEmpty)
        #expect(state.received(.closed(3, .dismissed), from: ":1.1").isEmpty)
        #expect(state.close("a").isEmpty)
    }

    @Test func n8_aResponseDoesNotCloseAPendingReplacement() {
        var state = DaemonState.ready()
        state.show(.sample("a", 1), as: 3)
        let newer = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        let response = state.received(.invoked(3, key: "default"), from: ":1.1")
        #expect(response.events == [.responded(a, .open, activationToken: nil)])
        #expect(response.closes.isEmpty)
        #expect(state.received(.closed(3, .dismissed), from: ":1.1").isEmpty)
        #expect(state.notifyReturned(newer[0].number, .success(4)).closes.isEmpty)
        #expect(state.entries["a"]?.visible?.delivery.number == 2)
    }

    @Test func n8_aResponseIsClosedIfItsReplacementFails() {
        var state = DaemonState.ready()
        state.show(.sample("a", 1), as: 3)
        let newer = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        _ = state.received(.invoked(3, key: "default"), from: ":1.1")
        let refusal = BusError.refused(name: "x.Error", message: "no")
        #expect(state.notifyReturned(newer[0].number, .failure(refusal)).closes == [3])
        #expect(state.entries.isEmpty)
    }

    private static let reasons: [(UInt32, UserNotificationCloseReason)] = [
        (1, .expired), (2, .dismissed), (3, .closedByProgram), (4, .unknown), (99, .unknown),
    ]

    @Test(arguments: reasons)
    func theCloseReasonIsReported(_ number: UInt32, _ reason: UserNotificationCloseReason) throws {
        var state = DaemonState.ready()
        state.show(.sample(), as: 3)
        let message = BusMessage(member: "NotificationClosed", body: [.uint32(3), .uint32(number)])
        let signal = try #require(DaemonSignal(message))
        #expect(state.received(signal, from: ":1.1").events == [.closed(a, reason)])
        #expect(state.entries.isEmpty && state.identifiersByID.isEmpty)
    }

    @Test func aTextReplyIsTheResponse() {
        var state = DaemonState.ready(":1.1", .full)
        let action = UserNotificationAction("answer", title: "Answer", textInput: .init())
        state.show(.sample(actions: [action]), as: 3)
        let response = state.received(.replied(3, text: "Yes & no"), from: ":1.1")
        #expect(
            response.events
                == [.responded(a, .reply("answer", "Yes & no"), activationToken: nil)]
        )
    }

    @Test func aSignalWithAnotherSignatureIsIgnored() {
        for body in [[], [.uint32(1)], [.int32(1), .string("default")], [.uint32(1), .int32(2)]]
            as [[BusValue]]
        {
            for member in ["ActionInvoked", "NotificationClosed", "ActivationToken", "Other"] {
                #expect(DaemonSignal(BusMessage(member: member, body: body)) == nil)
            }
        }
    }

    @Test func n9_idsAreVoidWhenTheirOwnerExits() {
        var state = DaemonState.ready()
        state.show(.sample(), as: 3)
        let gone = state.ownerChanged(to: nil)
        #expect(gone.events.contains(.closed(a, .unknown)))
        #expect(state.close("a").isEmpty)
        _ = state.ownerChanged(to: ":1.2")
        _ = state.described(owner: ":1.2", .plain)
        #expect(state.received(.invoked(3, key: "default"), from: ":1.2").isEmpty)
        let next = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        #expect(next.map(\.replaced) == [0])
        #expect(next.map(\.owner) == [":1.2"])
    }

    @Test func n9_aPendingPostIsSentToTheNextOwnerOnce() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample(), ticket: 1)).notifies
        let gone = BusError.refused(name: "org.freedesktop.DBus.Error.NoReply", message: "")
        #expect(state.ownerChanged(to: nil).contains(.start))
        #expect(state.notifyReturned(first[0].number, .failure(gone)).isEmpty)
        _ = state.ownerChanged(to: ":1.2")
        let second = state.described(owner: ":1.2", .plain).notifies
        #expect(second.map(\.owner) == [":1.2"])
        let last = state.ownerChanged(to: nil)
        guard case .unavailable? = last.settled[1] else {
            Issue.record("\(last)")
            return
        }
        #expect(state.entries.isEmpty)
        #expect(state.notifyReturned(second[0].number, .failure(gone)).isEmpty)
    }

    @Test func n9_aReplyOfAnEarlierOwnerGivesNoID() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        // The earlier owner keeps running without the name.
        let described = state.ownerChanged(to: ":1.2")
        #expect(described.contains(.describe(owner: ":1.2")))
        #expect(state.notifyReturned(first[0].number, .success(5)).isEmpty)
        #expect(state.identifiersByID.isEmpty)
        let second = state.described(owner: ":1.2", .plain).notifies
        #expect(second.map(\.owner) == [":1.2"] && second.map(\.replaced) == [0])
        #expect(state.notifyReturned(second[0].number, .success(1)).settled[1]?.isAccepted == true)
        #expect(state.close("a") == [.close(owner: ":1.2", id: 1)])
    }

    @Test func n9_anUnresponsiveEarlierOwnerDelaysNothing() {
        var state = DaemonState.ready()
        _ = state.show(.init(notification: .sample("a", 1), ticket: 1))
        _ = state.expired(1)
        _ = state.ownerChanged(to: ":1.2")
        _ = state.described(owner: ":1.2", .plain)
        let next = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        #expect(next.map(\.owner) == [":1.2"] && next.map(\.replaced) == [0])
    }

    @Test func n9_aTimedOutPostIsNotSentToTheNextOwner() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        #expect(state.show(.init(notification: .sample("a", 2), ticket: 2)).isEmpty)
        #expect(state.expired(1).settled.keys.sorted() == [1])
        #expect(state.expired(2).settled.keys.sorted() == [2])
        #expect(state.ownerChanged(to: ":1.2").settled.isEmpty)
        #expect(state.described(owner: ":1.2", .plain).notifies.isEmpty)
        #expect(state.notifyReturned(first[0].number, .success(1)).isEmpty)
        #expect(state.entries.isEmpty && state.identifiersByCall.isEmpty)
    }

    @Test func n5_timedOutPostsThatAppearLaterAreOneNotification() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        _ = state.show(.init(notification: .sample("a", 2), ticket: 2))
        _ = state.expired(1)
        _ = state.expired(2)
        let second = state.notifyReturned(first[0].number, .success(5))
        #expect(second.settled.isEmpty)
        #expect(second.notifies.map(\.replaced) == [5])
        #expect(state.notifyReturned(second.notifies[0].number, .success(5)).isEmpty)
        #expect(state.entries["a"]?.visible?.delivery.number == 2)
    }

    @Test func n10_aClaimWithAnUnknownIDIsClosed() {
        var state = DaemonState.ready()
        state.show(.sample("b", 2), as: 9)
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        let claim = state.claim([(posting, handle)], closed: []).notifies
        let answer = state.notifyReturned(claim[0].number, .success(4))
        #expect(answer.settled[1]?.isRefused == true)
        #expect(answer.closes == [4])
        #expect(state.identifiersByID == [9: "b"] && state.entries.count == 1)
        #expect(state.received(.closed(4, .closedByProgram), from: ":1.1").isEmpty)
    }

    @Test func n10_aPendingClaimIsNotSentToAnotherOwner() {
        var state = DaemonState.ready()
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        #expect(state.claim([(posting, handle)], closed: []).notifies.map(\.replaced) == [3])
        #expect(state.ownerChanged(to: ":1.2").settled[1]?.isUnavailable == true)
        #expect(state.described(owner: ":1.2", .plain).notifies.isEmpty)
    }

    @Test func n14_aRateLimitIsAResultAndTheOldNotificationStays() {
        var state = DaemonState.ready()
        state.show(.sample("a", 1), as: 3)
        let next = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        let name = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
        let result = state.notifyReturned(
            next[0].number,
            .failure(.refused(name: name, message: "Created too many similar notifications"))
        )
        guard case .refused? = result.settled[2] else {
            Issue.record("\(result)")
            return
        }
        #expect(state.entries["a"]?.visible?.delivery.number == 1)
    }

    @Test func anIDReturnedTwiceBelongsToTheSecondAndClosesTheFirst() {
        var state = DaemonState.ready()
        state.show(.sample("a", 1), as: 3)
        let second = state.show(.init(notification: .sample("b", 2), ticket: 2)).notifies
        #expect(
            state.notifyReturned(second[0].number, .success(3)).events == [.closed(a, .unknown)]
        )
        #expect(state.identifiersByID == [3: "b"])
    }

    @Test func zeroIsNoID() {
        var state = DaemonState.ready()
        let notify = state.show(.init(notification: .sample(), ticket: 1)).notifies
        guard case .refused? = state.notifyReturned(notify[0].number, .success(0)).settled[1] else {
            Issue.record("The result is not a refusal.")
            return
        }
        #expect(state.entries.isEmpty)
    }

    @Test func aLostBusVoidsAllNotificationsAndSettlesAllCallers() {
        var state = DaemonState.ready()
        state.show(.sample("a", 1), as: 3)
        let pendingCall = state.show(.init(notification: .sample("b", 2), ticket: 2)).notifies
        _ = state.show(.init(notification: .sample("b", 3), ticket: 3))
        let answer = state.notifyReturned(pendingCall[0].number, .failure(.disconnected("gone")))
        #expect(answer.settled[2] == .unavailable("gone"))
        let lost = state.lost("gone")
        #expect(lost.events.contains(.closed(a, .unknown)))
        #expect(lost.events.contains(.availabilityChanged(.unavailable("gone"))))
        #expect(state.availability == .unavailable("gone"))
    }

    @Test func aThousandPostsAndClosesLeaveNothingBehind() {
        var state = DaemonState.ready()
        for number in 1...1000 {
            let identifier = "id-\(number % 10)"
            state.show(.sample(identifier, number), as: UInt32(number))
            _ = state.close(identifier)
        }
        #expect(state.entries.isEmpty && state.identifiersByID.isEmpty)
        #expect(state.identifiersByCall.isEmpty)
    }
}
