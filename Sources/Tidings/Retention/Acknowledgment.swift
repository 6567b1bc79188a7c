// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Says whether anybody took a message that waits until it is handled.
///
/// Whoever may still be handed the message keeps the acknowledgment; when it goes and nobody has
/// taken the message, it waits again.
final class Acknowledgment: Sendable {
    /// Whether the message is for the first who takes it and not for all.
    private let isForOne: Bool
    private let isTaken = Atomic(false)
    private let nobodyTook: @Sendable () -> Void

    init(forOne isForOne: Bool, _ nobodyTook: @escaping @Sendable () -> Void) {
        self.isForOne = isForOne
        self.nobodyTook = nobodyTook
    }

    deinit {
        if !isTaken.load(ordering: .acquiring) { nobodyTook() }
    }

    /// Whether a handler may be called with the message; what became of that is noted then.
    func admits() -> Bool {
        !isForOne || !isTaken.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Notes whether a handler was called that `admits` had let.
    func note(called wasCalled: Bool) {
        if wasCalled || isForOne { isTaken.store(wasCalled, ordering: .releasing) }
    }
}
