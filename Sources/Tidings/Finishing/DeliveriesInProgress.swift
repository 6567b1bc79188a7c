// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The deliveries of a center that have started and are not over, including queued ones.
///
/// Only deliveries that do more than call handlers are counted. Every other delivery is a reader of
/// a channel, and a caller that waits for readers uses ``Readers``.
final class DeliveriesInProgress: Sendable {
    /// Twice the number of counted deliveries, plus 1 when no more deliveries may start.
    ///
    /// One word holds both values. The last delivery to end therefore finds in the same step
    /// whether this ends the center, and not later, when another delivery may have started.
    private let state = Atomic(0)
    private let actions = Lock<[@Sendable () -> Void]>([])

    private static var closed: Int { 1 }
    private static var delivery: Int { 2 }

    /// Whether no more deliveries may start.
    var isClosed: Bool { state.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

    /// Counts a delivery that starts, or returns false if no more deliveries may start.
    func begin() -> Bool {
        // The flag is checked first, so that endless posts cannot keep the count above zero.
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

    /// Prevents new deliveries, and calls `action` once all started deliveries are over.
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
