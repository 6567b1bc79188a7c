// SPDX-License-Identifier: Apache-2.0

/// The turns of one transfer at the transfer's limits.
///
/// Only the engine's thread uses this type.
struct LimitedTransfer {
    /// The longest wait until a transfer checks whether a rate has changed.
    static let longestWait = Duration.milliseconds(250)

    private var shares: [Share]

    private struct Share {
        let limit: TransferLimit
        var turn: TransferLimit.Turn?

        /// Takes a turn unless there is one with enough bytes, and returns the wait until the turn
        /// starts.
        mutating func wait(for bytes: Int64) -> Duration? {
            guard limit.isActive || turn != nil else { return nil }
            if let turn, limit.isValid(turn), turn.turn.bytes >= bytes {
                return turn.turn.begin - limit.now
            }
            let unused = turn.map { limit.isValid($0) ? $0.turn.bytes : 0 } ?? 0
            turn = limit.take(atLeast: bytes - unused)
            turn?.turn.bytes += unused
            return turn.map { $0.turn.begin - limit.now }
        }
    }

    /// Creates the turns of a transfer that all these limits apply to.
    init(_ limits: [TransferLimit]) {
        shares = limits.map { Share(limit: $0) }
    }

    /// Uses up bytes of the present turns.
    ///
    /// - Parameter count: The number of bytes that have arrived.
    /// - Returns: Nil if the transfer may have the bytes now, or otherwise the time to wait before
    ///   the next attempt.
    mutating func receive(_ count: Int) -> Duration? {
        if shares.isEmpty { return nil }
        var longest = Duration.zero
        for index in shares.indices {
            longest = max(longest, shares[index].wait(for: Int64(count)) ?? .zero)
        }
        guard longest <= .zero else { return min(longest, Self.longestWait) }
        for index in shares.indices { shares[index].turn?.turn.bytes -= Int64(count) }
        return nil
    }

    /// Returns the unused part of the turns to the limits.
    mutating func end() {
        for index in shares.indices {
            if let turn = shares[index].turn { shares[index].limit.putBack(turn) }
            shares[index].turn = nil
        }
    }
}
