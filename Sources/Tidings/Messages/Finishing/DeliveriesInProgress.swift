// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Deliveries of a center that have begun and are not over, those that are queued included.
///
/// Only those are counted that do more than call handlers: the others are readers of their channel,
/// and whoever waits for them asks ``Readers``.
final class DeliveriesInProgress: Sendable {
    private let count = Atomic(0)
    private let closed = Atomic(false)
    private let actions = Lock<[@Sendable () -> Void]>([])

    /// Whether no delivery begins any more.
    var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

    /// Counts a delivery that begins; false if it may not, any more.
    func begin() -> Bool {
        // Asked first, so that posts without end cannot keep the count above zero.
        if isClosed { return false }
        count.add(1, ordering: .sequentiallyConsistent)
        guard isClosed else { return true }
        end()
        return false
    }

    /// Counts a delivery as over.
    func end() {
        let (_, count) = count.subtract(1, ordering: .sequentiallyConsistent)
        if count == 0, isClosed { act() }
    }

    /// Lets no delivery begin any more and calls `action` once those are over that have begun.
    func close(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
        closed.store(true, ordering: .sequentiallyConsistent)
        if count.load(ordering: .sequentiallyConsistent) == 0 { act() }
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
