// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// A limit for the bytes per second that all transfers with this limit receive together.
///
/// Transfers of several clients can share a limit. All methods are safe from any thread.
package final class TransferLimit: Sendable {
    /// A turn with the number of rate changes before the turn.
    ///
    /// A later change makes the turn void.
    struct Turn: Hashable, Sendable {
        var turn: TokenBucket.Turn
        let change: Int
    }

    private struct State {
        var bucket: TokenBucket?
        var change = 0
    }

    private let state = Lock(State())
    /// Whether there is a rate.
    ///
    /// The flag is read before the lock, so that no limit costs nothing.
    private let hasRate = Atomic<Bool>(false)
    private let begin = ContinuousClock.now

    /// Creates a limit.
    ///
    /// - Parameter rate: The bytes per second. Nil permits any number.
    package init(rate: Int64? = nil) {
        set(rate)
    }

    /// Whether transfers are limited at present.
    package var isActive: Bool { hasRate.load(ordering: .relaxed) }

    /// The bytes per second, or nil without a limit.
    package var rate: Int64? { state.withLock { $0.bucket?.rate } }

    /// Changes the rate.
    ///
    /// Running transfers follow the new rate within a quarter of a second.
    package func set(_ rate: Int64?) {
        let now = now
        state.withLock { state in
            guard state.bucket?.rate != rate else { return }
            state.bucket = rate.map { TokenBucket(rate: $0, at: now) }
            state.change += 1
        }
        hasRate.store(rate != nil, ordering: .relaxed)
    }

    /// The time since the creation.
    var now: Duration { ContinuousClock.now - begin }

    /// Takes a turn of at least a number of bytes, or returns nil without a limit.
    func take(atLeast bytes: Int64) -> Turn? {
        let now = now
        return state.withLock { state in
            guard let turn = state.bucket?.take(atLeast: bytes, at: now) else { return nil }
            return Turn(turn: turn, change: state.change)
        }
    }

    /// Returns the unused bytes of a turn.
    func putBack(_ turn: Turn) {
        state.withLock { state in
            if turn.change == state.change { state.bucket?.putBack(turn.turn.bytes) }
        }
    }

    /// Returns whether the rate has not changed since the turn was taken.
    func isValid(_ turn: Turn) -> Bool { state.withLock { $0.change == turn.change } }
}
