// SPDX-License-Identifier: Apache-2.0

extension AuthorizationDesk {
    /// Who waits for an answer, which question is open, and what was answered, as a value.
    struct State<Waiter> {
        enum Joining {
            /// The answer is known.
            case answered(AuthorizationAnswer, Waiter)
            /// A question is open; its answer is this waiter's too.
            case wait
            /// The waiter is the first: ask this question.
            case ask(round: Int)
        }

        private(set) var answer: AuthorizationAnswer?
        private(set) var isLoaded = false
        private(set) var isAsking = false
        private var round = 0
        private var waiters: [Int: Waiter] = [:]

        /// Takes over what the store holds, unless something newer is known.
        mutating func load(_ stored: AuthorizationAnswer?) {
            guard !isLoaded else { return }
            isLoaded = true
            answer = stored
        }

        mutating func join(_ id: Int, _ waiter: Waiter) -> Joining {
            if let answer { return .answered(answer, waiter) }
            waiters[id] = waiter
            guard !isAsking else { return .wait }
            isAsking = true
            round += 1
            return .ask(round: round)
        }

        /// Takes a waiter out; with the last one the question is no longer needed.
        mutating func leave(_ id: Int) -> (waiter: Waiter?, closesQuestion: Bool) {
            guard let waiter = waiters.removeValue(forKey: id) else { return (nil, false) }
            let isLast = isAsking && waiters.isEmpty
            if isLast { isAsking = false }
            return (waiter, isLast)
        }

        /// Whether an answer to this question still counts.
        func isOpen(_ round: Int) -> Bool { isAsking && self.round == round }

        /// Ends a question and returns its waiters, nil when it no longer counts.
        ///
        /// Without an answer the next need asks again.
        mutating func finish(round: Int, _ answer: AuthorizationAnswer?) -> [Waiter]? {
            guard isOpen(round) else { return nil }
            return close(answer)
        }

        /// Takes over an answer that no question gave.
        mutating func set(_ answer: AuthorizationAnswer) -> [Waiter] {
            close(answer)
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
