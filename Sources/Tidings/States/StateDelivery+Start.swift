// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension StateDelivery {
    /// The circumstances under which a thread delivers an observer's first state.
    enum StartTurn: Sendable {
        /// This thread has the turn and delivers nothing else until the start is over.
        case own
        /// This thread has the turn and is inside a call of an observer.
        case inside
        /// Another thread has the turn and delivers simultaneously.
        case taken
    }

    func beginStart(_ thread: UInt) -> StartTurn {
        withLock { turns -> StartTurn in
            if turns.begin(thread) { return .own }
            return turns.isTaken(by: thread) ? .taken : .inside
        }
    }

    /// Ends a delivery and returns whether rounds are pending.
    func endTurn() -> Bool {
        withLock { $0.end() }
    }

    func beginRounds(_ thread: UInt) -> Bool {
        withLock { $0.beginRounds(thread) }
    }

    /// Calls `body` under the lock if a round is pending, and otherwise ends the delivery.
    func nextRound(_ body: (inout StateTurns) -> Void) {
        withLock { if $0.next() { body(&$0) } }
    }

    /// Adds a registration and calls `body`, both under the lock.
    ///
    /// - Parameters:
    ///   - registration: The registration to add.
    ///   - insertions: The required number of earlier insertions, or nil for any number.
    ///   - body: Reads the first state for the registration.
    /// - Returns: The insertion to conclude, or nil if the number of insertions differs.
    func insert(
        _ registration: Registration,
        ifAt insertions: Int?,
        _ body: (inout StateTurns) -> Void
    ) -> Channel.Insertion? {
        withLock { turns -> Channel.Insertion? in
            let insertion = channel.subscribers.withLock { subscribers -> Channel.Insertion? in
                if let insertions, insertions != subscribers.insertions { return nil }
                return channel.insert(registration, into: &subscribers)
            }
            if insertion != nil { body(&turns) }
            return insertion
        }
    }
}
