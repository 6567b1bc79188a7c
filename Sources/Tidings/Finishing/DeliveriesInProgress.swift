// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Deliveries of a center that have begun and are not over, those that are queued included.
///
/// Only those are counted that do more than call handlers: the others are readers of their channel,
/// and whoever waits for them asks ``Readers``.
final class DeliveriesInProgress: Sendable {
    /// Twice the number of those deliveries, and 1 when no other may begin.
    ///
    /// One word: who leaves as the last learns in the same step whether that ends the center, and
    /// not later, when another delivery may have begun.
    private let state = Atomic(0)
    private let actions = Lock<[@Sendable () -> Void]>([])

    private static var closed: Int { 1 }
    private static var delivery: Int { 2 }

    /// Whether no delivery begins any more.
    var isClosed: Bool { state.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

    /// Counts a delivery that begins; false if it may not, any more.
    func begin() -> Bool {
        // Asked first, so that posts without end cannot keep the count above zero.
        if isClosed { return false }
        let (_, state) = state.add(Self.delivery, ordering: .sequentiallyConsistent)
        guard state & Self.closed != 0 else { return true }
        end()
        return false
    }

    /// Counts a delivery as over.
    func end() {
        let (_, state) = state.subtract(Self.delivery, ordering: .sequentiallyConsistent)
        if state == Self.closed { act() }
    }

    /// Lets no delivery begin any more and calls `action` once those are over that have begun.
    func close(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
        let (_, state) = state.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
        if state == Self.closed { act() }
    }

    private func act() {
        for action in actions.withLock({ actions in
            defer { actions = [] }
            return actions
        }) {
            action()
        }
    }
}
