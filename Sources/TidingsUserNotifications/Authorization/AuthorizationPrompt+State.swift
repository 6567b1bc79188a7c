// SPDX-License-Identifier: Apache-2.0

extension AuthorizationPrompt {
    /// The known answer, the open question and the waiting callers, as a value.
    struct State<Waiter> {
        enum JoinResult {
            /// The answer is already known.
            case answered(AuthorizationAnswer, Waiter)
            /// A question is open, and the waiter gets the answer.
            case wait
            /// The waiter is the first, so the caller asks the question with this ID.
            case ask(questionID: Int)
        }

        private(set) var answer: AuthorizationAnswer?
        private(set) var isLoaded = false
        private(set) var isAsking = false
        private var questionID = 0
        private var waiters: [Int: Waiter] = [:]

        /// Sets the stored answer, unless a newer one is known.
        mutating func load(_ stored: AuthorizationAnswer?) {
            guard !isLoaded else { return }
            isLoaded = true
            answer = stored
        }

        mutating func join(_ id: Int, _ waiter: Waiter) -> JoinResult {
            if let answer { return .answered(answer, waiter) }
            waiters[id] = waiter
            guard !isAsking else { return .wait }
            isAsking = true
            questionID += 1
            return .ask(questionID: questionID)
        }

        /// Removes a waiter.
        ///
        /// - Returns: The removed waiter, and whether the caller has to cancel the question because
        ///   no waiter is left.
        mutating func leave(_ id: Int) -> (waiter: Waiter?, closesQuestion: Bool) {
            guard let waiter = waiters.removeValue(forKey: id) else { return (nil, false) }
            let isLast = isAsking && waiters.isEmpty
            if isLast { isAsking = false }
            return (waiter, isLast)
        }

        /// Whether an answer to this question is still accepted.
        func isOpen(_ questionID: Int) -> Bool { isAsking && self.questionID == questionID }

        /// Ends a question and returns the waiters, or nil if the question is no longer open.
        ///
        /// Without an answer, the next request asks again.
        mutating func finish(questionID: Int, _ answer: AuthorizationAnswer?) -> [Waiter]? {
            guard isOpen(questionID) else { return nil }
            return close(answer)
        }

        /// Sets an answer that did not come from the question, and returns the waiters.
        mutating func set(_ answer: AuthorizationAnswer) -> [Waiter] {
            close(answer)
        }

        /// Takes over an answer that another process has stored.
        ///
        /// - Returns: The waiters of an open question, or nil if the answer is not new.
        mutating func adopt(_ stored: AuthorizationAnswer?) -> [Waiter]? {
            guard isLoaded, let stored, stored != answer else { return nil }
            return close(stored)
        }

        private mutating func close(_ answer: AuthorizationAnswer?) -> [Waiter] {
            isAsking = false
            if let answer {
                self.answer = answer
                isLoaded = true
            }
            defer { waiters = [:] }
            return waiters.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
