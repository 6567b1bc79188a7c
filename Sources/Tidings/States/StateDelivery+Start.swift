// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension StateDelivery {
    /// Who may tell an observer its first state.
    enum StartTurn: Sendable {
        /// This thread, which delivers nothing else meanwhile.
        case own
        /// This thread, inside an observer that it calls.
        case inside
        /// This thread, while another one delivers.
        case taken
    }

    func beginStart(_ thread: UInt) -> StartTurn {
        withLock { turns -> StartTurn in
            if turns.begin(thread) { return .own }
            return turns.isTaken(by: thread) ? .taken : .inside
        }
    }

    /// Ends a delivery and says whether rounds wait.
    func endTurn() -> Bool {
        withLock { $0.end() }
    }

    func beginRounds(_ thread: UInt) -> Bool {
        withLock { $0.beginRounds(thread) }
    }

    /// Calls `body` under the lock if a round waits; if none does, the delivery is over.
    func nextRound(_ body: (inout StateTurns) -> Void) {
        withLock { if $0.next() { body(&$0) } }
    }

    /// Adds a registration under the lock and calls `body` there.
    ///
    /// - Parameters:
    ///   - registration: What is added.
    ///   - insertions: How many there must have been; any number, unless stated.
    ///   - body: Reads the state that the registration begins with.
    /// - Returns: What to conclude; nil if somebody else was added meanwhile.
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
