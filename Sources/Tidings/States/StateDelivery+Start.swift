// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension StateDelivery {
    /// The circumstances under which a thread delivers an observer's first state.
    enum StartTurn: Sendable {
        /// This thread has the turn and delivers nothing else meanwhile.
        case own
        /// This thread has the turn and is inside an observer that it calls.
        case inside
        /// Another thread has the turn and delivers meanwhile.
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

    /// Calls `body` under the lock if a round is pending; otherwise ends the delivery.
    func nextRound(_ body: (inout StateTurns) -> Void) {
        withLock { if $0.next() { body(&$0) } }
    }

    /// Adds a registration under the lock and calls `body` there.
    ///
    /// - Parameters:
    ///   - registration: The registration to add.
    ///   - insertions: The required number of earlier insertions; any number by default.
    ///   - body: Reads the first state for the registration.
    /// - Returns: The insertion to conclude; nil if another registration was added meanwhile.
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
