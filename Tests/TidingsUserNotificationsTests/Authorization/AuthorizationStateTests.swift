// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct AuthorizationStateTests {
    private typealias State = AuthorizationPrompt.State<String>

    private func questionID(_ result: State.JoinResult) -> Int? {
        if case .ask(let questionID) = result { return questionID }
        return nil
    }

    @Test func onlyTheFirstOfSeveralAsks() {
        var state = State()
        #expect(questionID(state.join(1, "a")) == 1)
        #expect(questionID(state.join(2, "b")) == nil)
        #expect(state.finish(questionID: 1, .granted) == ["a", "b"])
        guard case .answered(.granted, "c") = state.join(3, "c") else {
            Issue.record("A known answer is answered at once.")
            return
        }
    }

    @Test func theAnswerToAClosedQuestionDoesNotCount() {
        var state = State()
        _ = state.join(1, "a")
        #expect(state.set(.denied) == ["a"])
        #expect(state.finish(questionID: 1, .granted) == nil)
        #expect(state.answer == .denied)
    }

    @Test func theQuestionClosesWithItsLastWaiter() {
        var state = State()
        _ = state.join(1, "a")
        _ = state.join(2, "b")
        #expect(state.leave(1) == (waiter: "a", closesQuestion: false))
        #expect(state.leave(2) == (waiter: "b", closesQuestion: true))
        #expect(state.leave(2) == (waiter: nil, closesQuestion: false))
        #expect(questionID(state.join(3, "c")) == 2)
        #expect(state.finish(questionID: 1, .granted) == nil)
    }

    @Test func theStoredAnswerNeverReplacesANewerOne() {
        var state = State()
        _ = state.set(.granted)
        state.load(.denied)
        #expect(state.answer == .granted)
    }
}
