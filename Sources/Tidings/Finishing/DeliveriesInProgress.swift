// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The deliveries of a center that have begun and are not over, including queued ones.
///
/// Counts only the deliveries that do more than call handlers. The others are readers of their
/// channel, and a caller that waits for them uses ``Readers``.
final class DeliveriesInProgress: Sendable {
    /// Twice the number of counted deliveries, plus 1 when no more may begin.
    ///
    /// One word: the last delivery to end finds in the same step whether that ends the center, and
    /// not later, when another delivery may have begun.
    private let state = Atomic(0)
    private let actions = Lock<[@Sendable () -> Void]>([])

    private static var closed: Int { 1 }
    private static var delivery: Int { 2 }

    /// Whether no more deliveries may begin.
    var isClosed: Bool { state.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

    /// Counts a delivery that begins; false if no more may begin.
    func begin() -> Bool {
        // Checked first, so that endless posts cannot keep the count above zero.
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

    /// Prevents new deliveries, and calls `action` once all deliveries that have begun are over.
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
