// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Records whether a handler took a message that waits until it is handled.
///
/// Every call that may still receive the message keeps the acknowledgment. If the last one releases
/// it and no handler has taken the message, the message waits again.
final class Acknowledgment: Sendable {
    /// Whether only the first handler may take the message, and not all of them.
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

    /// Whether a handler may be called with the message; the caller then notes the outcome.
    func admits() -> Bool {
        !isForOne || !isTaken.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Notes whether a handler that `admits` allowed was called.
    func note(called wasCalled: Bool) {
        if wasCalled || isForOne { isTaken.store(wasCalled, ordering: .releasing) }
    }
}
