// SPDX-License-Identifier: Apache-2.0
import Testing

/// Logs written by hand that a rule refuses or must allow.
///
/// Observation 0 to 2 are closures, 3 has an owner, 4 is on the main actor, 5 has a high priority
/// and 6 is a sequence. Threads 0 and 1 are the program's, and 2 is the main actor's.
@Suite(.timeLimit(.minutes(15)))
struct HistoryRulesTests: WrittenHistory {
    let program: ModelProgram = {
        let forms: [ModelObservation.Form] = [
            .closure, .closure, .closure, .owned(0), .main, .closure, .sequence,
        ]
        let place = ModelPlace()
        var program = ModelProgram(observations: forms.count, owners: [[]])
        program.setup = forms.enumerated().map { id, form in
            .observe(.init(id: id, form: form, priority: id == 5 ? 10 : 0))
        }
        program.threads = [(0..<4).map { .post($0, at: place) }]
        return program
    }()

    @Test func whatThePromisesAllowIsNoViolation() {
        let inside = end(1, on: 1) + call(5) + call(0) + end(2) + call(3)
        let events =
            observe(0) + observe(1) + observe(2) + observe(3) + observe(5)
            + post(to: 5, inside + observe(4, on: 1))
            + [(1, .releasing(owner: 0)), (1, .dying(owner: 0)), (1, .died(owner: 0))]
            + [(1, .released(owner: 0))]
            + post(1, to: 3, call(5, 1) + call(0, 1)) + call(4, 1, on: 2)
            + [(1, .counting(ModelPlace())), (1, .counted(ModelPlace(), 3))]
        #expect(violations(events) == [])
    }

    @Test func m1_priorityAndAge() {
        let lowFirst = observe(0) + observe(5) + post(to: 2, call(0) + call(5))
        #expect(violations(lowFirst) == ["M1: 0 came before 5 with 0"])
        let youngFirst = observe(0) + observe(1) + post(to: 2, call(1) + call(0))
        #expect(violations(youngFirst) == ["M1: 1 came before 0 with 0"])
        let overlapping: [(thread: Int, event: ModelEvent)] = [
            (0, .observing(0)), (1, .observing(1)), (0, .observed(0)), (1, .observed(1)),
        ]
        #expect(violations(overlapping + post(to: 2, call(1) + call(0))) == [])
    }

    @Test func m2_onThePostersThreadAndWithinThePost() {
        let late = observe(0) + post(to: 1) + call(0)
        #expect(violations(late) == ["M2: the call of 0 with 0 is not within its turn"])
        let elsewhere = observe(0) + post(to: 1, call(0, on: 1))
        #expect(violations(elsewhere) == ["M2: the call of 0 with 0 is on another thread"])
    }

    @Test func m3_aNestedPostWaits() {
        let nested = [(0, .calling(0, message: 0))] + post(1, to: 1, call(0, 1))
        let early = observe(0) + post(to: 1, nested + [(0, .called(0, message: 0))])
        #expect(
            violations(early) == [
                "M3: message 1 reached 0 inside another call of its center",
                "M3: the call of 0 with 1 did not wait for the current post",
            ]
        )
    }

    @Test func m3_inTheOrderOfThePosts() {
        let inside: [(thread: Int, event: ModelEvent)] =
            [(0, .calling(0, message: 0))] + post(1, to: 1) + post(2, to: 1)
            + [(0, .called(0, message: 0))]
        let events = observe(0) + post(to: 1, inside + call(0, 2) + call(0, 1))
        #expect(violations(events) == ["M3: 0 received 2 before 1"])
        #expect(violations(observe(0) + post(to: 1, inside + call(0, 1) + call(0, 2))) == [])
    }

    @Test func m4_recipientsAndNeverTwice() {
        let missing = observe(0) + post(to: 1)
        #expect(violations(missing) == ["M4: 0 did not receive 0"])
        let twice = observe(0) + post(to: 2, call(0) + call(0))
        #expect(
            violations(twice).sorted() == [
                "M4: 0 received 0 2 times",
                "M4: post 0 returned 2, there were 1 to 1",
            ]
        )
        let inHandler: [(thread: Int, event: ModelEvent)] =
            [(0, .calling(0, message: 0))] + observe(1) + [(0, .called(0, message: 0))]
        let nested = observe(0) + post(to: 2, inHandler + call(1))
        #expect(violations(nested).contains("M4: 1 received 0, posted before it came"))
        let main = post(to: 0) + observe(4) + call(4, on: 2)
        #expect(violations(main).contains("M4: 4 received 0, posted before it came"))
    }

    @Test func m4_theNumberOfRecipients() {
        let few = observe(0) + observe(1) + post(to: 1, call(0) + call(1))
        #expect(
            violations(few) == [
                "M4: post 0 returned 1 for 2 calls",
                "M4: post 0 returned 1, there were 2 to 2",
            ]
        )
        let counted: [(thread: Int, event: ModelEvent)] =
            observe(0) + [(0, .counting(ModelPlace())), (0, .counted(ModelPlace(), 0))]
        #expect(violations(counted) == ["M4: count at 0/0 returned 0, there were 1 to 1"])
    }

    @Test func m4_nobodyIsCountedWhoseCancelHasReturned() {
        let first: [(thread: Int, event: ModelEvent)] = [(1, .ending(0, .cancel))]
        let last: [(thread: Int, event: ModelEvent)] = [(1, .ended(0, .cancel))]
        #expect(violations(observe(0) + first + post(to: 1) + last) == [])
        #expect(
            violations(observe(0) + first + end(0) + post(to: 1) + last)
                == ["M4: post 0 returned 1, there were 0 to 0"]
        )
    }

    @Test func m5_nothingAfterTheEnd() {
        let here = observe(0) + observe(1) + post(to: 2, call(0) + end(1) + call(1))
        #expect(violations(here) == ["M5: 1 received 0 after its end"])
        // The check of the second call came after the first call.
        let elsewhere = observe(0) + observe(1) + post(to: 2, end(1, on: 1) + call(0) + call(1))
        #expect(violations(elsewhere) == ["M5: 1 received 0 after its end"])
        let checkedBefore = observe(0) + observe(1) + post(to: 2, call(0) + end(1, on: 1) + call(1))
        #expect(violations(checkedBefore) == [])
    }

    @Test func m5_aTokenThatIsDroppedWhileItIsUsedMayLiveOn() {
        let drop: [(thread: Int, event: ModelEvent)] =
            [(1, .ending(0, .cancel))] + end(0, .drop) + post(to: 1, call(0))
            + [(1, .ended(0, .cancel))]
        #expect(violations(observe(0) + drop) == [])
        #expect(
            violations(observe(0) + end(0, .drop) + post(to: 0, call(0))).contains(
                "M5: 0 received 0 after its end"
            )
        )
        #expect(violations(observe(0) + end(0, .bagDrop) + post(to: 1, call(0))) == [])
        let owned = observe(3) + end(3, .drop) + post(to: 1, call(3))
        #expect(violations(owned) == [])
    }

    @Test func m8_nothingAfterTheOwnersEnd() {
        let death: [(thread: Int, event: ModelEvent)] = [
            (1, .releasing(owner: 0)), (1, .dying(owner: 0)), (1, .died(owner: 0)),
            (1, .released(owner: 0)),
        ]
        let begun: [(thread: Int, event: ModelEvent)] = [(0, .calling(3, message: 0))]
        let events = observe(3) + post(to: 1, begun + death + [(0, .called(3, message: 0))])
        #expect(violations(events) == ["M8: 3 received 0 after the end of 0"])
    }

    @Test func aSequenceIsARecipientLikeOthers() {
        let events = observe(6) + post(to: 1) + post(1, to: 1)
        #expect(violations(events, buffers: [6: [0, 1]]) == [])
        #expect(violations(events, buffers: [6: [1]]) == ["M4: 6 did not receive 0"])
        #expect(violations(events, buffers: [6: [1, 0]]) == ["M3: 6 received 1 before 0"])
        #expect(
            violations(observe(6) + end(6) + post(to: 0), buffers: [6: [0]])
                == ["M5: sequence 6 got 0 after its end"]
        )
    }

    @Test func aLogThatDoesNotNestIsRefused() {
        #expect(violations([(0, .called(0, message: 0))]).count == 1)
        #expect(violations([(0, .posting(0))]) == ["posting(0) has not ended"])
    }
}
