// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// What other threads send to an observer that is still being told what was there before it.
///
/// Closed at first. Whoever tells the observer takes what waits, one after the other; the gate
/// opens when nothing does, so that nothing newer comes before something older.
final class ReplayGate<Held: Sendable>: Sendable {
    private let backlog = Lock(Fifo<Held>())
    private let isOpen = Atomic(false)

    /// Keeps something until what came before it was told; false if the gate is open.
    func holds(_ held: @autoclosure () -> Held) -> Bool {
        if isOpen.load(ordering: .acquiring) { return false }
        let held = held()
        return backlog.withLock { backlog in
            if isOpen.load(ordering: .relaxed) { return false }
            backlog.append(held)
            return true
        }
    }

    /// Takes what has waited longest; nil opens the gate.
    func next() -> Held? {
        backlog.withLock { backlog in
            let held = backlog.popFirst()
            if held == nil { isOpen.store(true, ordering: .releasing) }
            return held
        }
    }
}
