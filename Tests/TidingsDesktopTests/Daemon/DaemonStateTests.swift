// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct DaemonStateTests {
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

    @Test func theResultCarriesWhereItIsShown() {
        var state = DaemonState.ready()
        let notify = state.show(.init(notification: .sample(), ticket: 7)).notifies
        let result = state.notified(notify[0].number, .success(5)).settled[7]
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 5).handle
        #expect(result == .accepted(degraded: [], handle: handle))
    }

    @Test func promise4_twoRacingPostsEndAsOneAndTheLaterOne() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        #expect(state.show(.init(notification: .sample("a", 2), ticket: 2)).isEmpty)
        let third = state.show(.init(notification: .sample("a", 3), ticket: 3))
        #expect(third.settled.keys.sorted() == [2])
        let next = state.notified(first[0].number, .success(9))
        #expect(next.notifies.map(\.replaced) == [9])
        _ = state.notified(next.notifies[0].number, .success(9))
        #expect(state.shown == [9: "a"])
        #expect(state.lines["a"]?.shown?.delivery.number == 3)
    }

    @Test func promise4_closingWhatHasNoNumberYetClosesItLater() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample(), ticket: 1)).notifies
        #expect(state.close("a").isEmpty)
        #expect(state.notified(first[0].number, .success(3)).closes == [3])
        #expect(state.lines.isEmpty && state.shown.isEmpty)
    }

    @Test func promise4_aNewNumberForAReplacementForgetsTheOldOne() {
        var state = DaemonState.ready()
        state.shows(.sample("a", 1), as: 3)
        state.shows(.sample("a", 2), as: 4)
        #expect(state.heard(.invoked(3, key: "default"), from: ":1.1").isEmpty)
        #expect(!state.heard(.invoked(4, key: "default"), from: ":1.1").events.isEmpty)
    }

    @Test func promise7_onlyTheOwnersSignalsCountAndOnlyForOurNumbers() {
        var state = DaemonState.ready()
        state.shows(.sample(), as: 3)
        #expect(state.heard(.invoked(3, key: "default"), from: ":1.9").isEmpty)
        #expect(state.heard(.invoked(3, key: "default"), from: nil).isEmpty)
        #expect(state.heard(.closed(3, .dismissed), from: ":1.9").isEmpty)
        #expect(state.heard(.invoked(4, key: "default"), from: ":1.1").isEmpty)
        #expect(state.heard(.invoked(3, key: "unknown"), from: ":1.1").isEmpty)
        let mine = state.heard(.invoked(3, key: "default"), from: ":1.1")
        #expect(mine.events == [.responded(a, .open, activationToken: nil)])
    }

    @Test func promise8_oneResponseThenWeCloseAndWhatFollowsIsSwallowed() {
        var state = DaemonState.ready()
        state.shows(.sample(actions: [.init("play", title: "Play")]), as: 3)
        _ = state.heard(.token(3, "tok"), from: ":1.1")
        let first = state.heard(.invoked(3, key: "play"), from: ":1.1")
        #expect(first.events == [.responded(a, .custom("play"), activationToken: "tok")])
        #expect(first.closes == [3])
        #expect(state.heard(.invoked(3, key: "default"), from: ":1.1").isEmpty)
        #expect(state.heard(.closed(3, .dismissed), from: ":1.1").isEmpty)
        #expect(state.close("a").isEmpty)
    }

    @Test func promise8_aResponseWhileAReplacementIsOnItsWayDoesNotCloseIt() {
        var state = DaemonState.ready()
        state.shows(.sample("a", 1), as: 3)
        let newer = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        let response = state.heard(.invoked(3, key: "default"), from: ":1.1")
        #expect(response.events == [.responded(a, .open, activationToken: nil)])
        #expect(response.closes.isEmpty)
        #expect(state.heard(.closed(3, .dismissed), from: ":1.1").isEmpty)
        #expect(state.notified(newer[0].number, .success(4)).closes.isEmpty)
        #expect(state.lines["a"]?.shown?.delivery.number == 2)
    }

    @Test func promise8_aResponseWithoutAReplacementInTheEndIsClosed() {
        var state = DaemonState.ready()
        state.shows(.sample("a", 1), as: 3)
        let newer = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        _ = state.heard(.invoked(3, key: "default"), from: ":1.1")
        let refusal = BusError.refused(name: "x.Error", message: "no")
        #expect(state.notified(newer[0].number, .failure(refusal)).closes == [3])
        #expect(state.lines.isEmpty)
    }

    private static let reasons: [(UInt32, NotificationCloseReason)] = [
        (1, .expired), (2, .dismissed), (3, .closedByProgram), (4, .unknown), (99, .unknown),
    ]

    @Test(arguments: reasons)
    func theReasonOfACloseIsTold(_ number: UInt32, _ reason: NotificationCloseReason) throws {
        var state = DaemonState.ready()
        state.shows(.sample(), as: 3)
        let message = BusMessage(member: "NotificationClosed", body: [.uint32(3), .uint32(number)])
        let signal = try #require(DaemonSignal(message))
        #expect(state.heard(signal, from: ":1.1").events == [.closed(a, reason)])
        #expect(state.lines.isEmpty && state.shown.isEmpty)
    }

    @Test func aReplyInWordsIsTheResponse() {
        var state = DaemonState.ready(":1.1", .full)
        let action = NotificationAction("answer", title: "Answer", textInput: .init())
        state.shows(.sample(actions: [action]), as: 3)
        let response = state.heard(.replied(3, text: "Yes & no"), from: ":1.1")
        #expect(
            response.events
                == [.responded(a, .reply("answer", "Yes & no"), activationToken: nil)]
        )
    }

    @Test func aSignalOfAnotherShapeMeansNothing() {
        for body in [[], [.uint32(1)], [.int32(1), .string("default")], [.uint32(1), .int32(2)]]
            as [[BusValue]]
        {
            for member in ["ActionInvoked", "NotificationClosed", "ActivationToken", "Other"] {
                #expect(DaemonSignal(BusMessage(member: member, body: body)) == nil)
            }
        }
    }

    @Test func promise9_numbersAreVoidWhenTheirOwnerGoes() {
        var state = DaemonState.ready()
        state.shows(.sample(), as: 3)
        let gone = state.ownerChanged(to: nil)
        #expect(gone.events.contains(.closed(a, .unknown)))
        #expect(state.close("a").isEmpty)
        _ = state.ownerChanged(to: ":1.2")
        _ = state.described(owner: ":1.2", .plain)
        #expect(state.heard(.invoked(3, key: "default"), from: ":1.2").isEmpty)
        let next = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        #expect(next.map(\.replaced) == [0])
        #expect(next.map(\.owner) == [":1.2"])
    }

    @Test func promise9_whatItsReaderTookWithItIsSentToTheNextOnce() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample(), ticket: 1)).notifies
        let gone = BusError.refused(name: "org.freedesktop.DBus.Error.NoReply", message: "")
        #expect(state.ownerChanged(to: nil).contains(.start))
        #expect(state.notified(first[0].number, .failure(gone)).isEmpty)
        _ = state.ownerChanged(to: ":1.2")
        let second = state.described(owner: ":1.2", .plain).notifies
        #expect(second.map(\.owner) == [":1.2"])
        let last = state.ownerChanged(to: nil)
        guard case .unavailable? = last.settled[1] else {
            Issue.record("\(last)")
            return
        }
        #expect(state.lines.isEmpty)
        #expect(state.notified(second[0].number, .failure(gone)).isEmpty)
    }

    @Test func promise9_anAnswerOfAnEarlierOwnerGivesNoNumber() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        // The earlier one lives on, without the name.
        let described = state.ownerChanged(to: ":1.2")
        #expect(described.contains(.describe(owner: ":1.2")))
        #expect(state.notified(first[0].number, .success(5)).isEmpty)
        #expect(state.shown.isEmpty)
        let second = state.described(owner: ":1.2", .plain).notifies
        #expect(second.map(\.owner) == [":1.2"] && second.map(\.replaced) == [0])
        #expect(state.notified(second[0].number, .success(1)).settled[1]?.isAccepted == true)
        #expect(state.close("a") == [.close(owner: ":1.2", id: 1)])
    }

    @Test func promise9_anEarlierOwnerThatNeverAnswersHoldsNobodyUp() {
        var state = DaemonState.ready()
        _ = state.show(.init(notification: .sample("a", 1), ticket: 1))
        _ = state.expired(1)
        _ = state.ownerChanged(to: ":1.2")
        _ = state.described(owner: ":1.2", .plain)
        let next = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        #expect(next.map(\.owner) == [":1.2"] && next.map(\.replaced) == [0])
    }

    @Test func promise9_whatWasTimedOutIsNotShownByTheNext() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        #expect(state.show(.init(notification: .sample("a", 2), ticket: 2)).isEmpty)
        #expect(state.expired(1).settled.keys.sorted() == [1])
        #expect(state.expired(2).settled.keys.sorted() == [2])
        #expect(state.ownerChanged(to: ":1.2").settled.isEmpty)
        #expect(state.described(owner: ":1.2", .plain).notifies.isEmpty)
        #expect(state.notified(first[0].number, .success(1)).isEmpty)
        #expect(state.lines.isEmpty && state.flights.isEmpty)
    }

    @Test func promise5_whatWasTimedOutAndIsShownAllTheSameIsOneItem() {
        var state = DaemonState.ready()
        let first = state.show(.init(notification: .sample("a", 1), ticket: 1)).notifies
        _ = state.show(.init(notification: .sample("a", 2), ticket: 2))
        _ = state.expired(1)
        _ = state.expired(2)
        let second = state.notified(first[0].number, .success(5))
        #expect(second.settled.isEmpty)
        #expect(second.notifies.map(\.replaced) == [5])
        #expect(state.notified(second.notifies[0].number, .success(5)).isEmpty)
        #expect(state.lines["a"]?.shown?.delivery.number == 2)
    }

    @Test func promise10_aClaimWhoseNumberIsNotKnownAnyMoreIsTakenBack() {
        var state = DaemonState.ready()
        state.shows(.sample("b", 2), as: 9)
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        let claim = state.claim([(posting, handle)], gone: []).notifies
        let answer = state.notified(claim[0].number, .success(4))
        #expect(answer.settled[1]?.isRefused == true)
        #expect(answer.closes == [4])
        #expect(state.shown == [9: "b"] && state.lines.count == 1)
        #expect(state.heard(.closed(4, .closedByProgram), from: ":1.1").isEmpty)
    }

    @Test func promise10_aClaimThatIsOnItsWayIsNotSentToAnotherOwner() {
        var state = DaemonState.ready()
        let handle = DaemonHandle(server: "bus", owner: ":1.1", id: 3).handle
        let posting = DaemonState.Posting(notification: .sample(), ticket: 1, isClaim: true)
        #expect(state.claim([(posting, handle)], gone: []).notifies.map(\.replaced) == [3])
        #expect(state.ownerChanged(to: ":1.2").settled[1]?.isUnavailable == true)
        #expect(state.described(owner: ":1.2", .plain).notifies.isEmpty)
    }

    @Test func promise14_aRefusalForRateIsAValueAndTheOldOneStays() {
        var state = DaemonState.ready()
        state.shows(.sample("a", 1), as: 3)
        let next = state.show(.init(notification: .sample("a", 2), ticket: 2)).notifies
        let name = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
        let result = state.notified(
            next[0].number,
            .failure(.refused(name: name, message: "Created too many similar notifications"))
        )
        guard case .refused? = result.settled[2] else {
            Issue.record("\(result)")
            return
        }
        #expect(state.lines["a"]?.shown?.delivery.number == 1)
    }

    @Test func aNumberForTwoIsTheSecondsAndTheFirstIsGone() {
        var state = DaemonState.ready()
        state.shows(.sample("a", 1), as: 3)
        let second = state.show(.init(notification: .sample("b", 2), ticket: 2)).notifies
        #expect(
            state.notified(second[0].number, .success(3)).events == [.closed(a, .unknown)]
        )
        #expect(state.shown == [3: "b"])
    }

    @Test func zeroIsNoNumber() {
        var state = DaemonState.ready()
        let notify = state.show(.init(notification: .sample(), ticket: 1)).notifies
        guard case .refused? = state.notified(notify[0].number, .success(0)).settled[1] else {
            Issue.record("accepted")
            return
        }
        #expect(state.lines.isEmpty)
    }

    @Test func aLostBusVoidsAllAndAnswersWhatWaits() {
        var state = DaemonState.ready()
        state.shows(.sample("a", 1), as: 3)
        let flight = state.show(.init(notification: .sample("b", 2), ticket: 2)).notifies
        _ = state.show(.init(notification: .sample("b", 3), ticket: 3))
        let answer = state.notified(flight[0].number, .failure(.disconnected("gone")))
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
            state.shows(.sample(identifier, number), as: UInt32(number))
            _ = state.close(identifier)
        }
        #expect(state.lines.isEmpty && state.shown.isEmpty && state.flights.isEmpty)
    }
}
