// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The messages that other threads send to an observer while its replay runs.
///
/// Closed at first. The thread that runs the replay takes the held messages one after the other;
/// the gate opens when none is left, so that no newer message comes before an older one.
final class ReplayGate<Held: Sendable>: Sendable {
    private let backlog = Lock(Fifo<Held>())
    private let isOpen = Atomic(false)

    /// Holds a message until the earlier ones were delivered; false if the gate is open.
    func holds(_ held: @autoclosure () -> Held) -> Bool {
        if isOpen.load(ordering: .acquiring) { return false }
        let held = held()
        return backlog.withLock { backlog in
            if isOpen.load(ordering: .relaxed) { return false }
            backlog.append(held)
            return true
        }
    }

    /// Takes the message that has waited longest; nil opens the gate.
    func next() -> Held? {
        backlog.withLock { backlog in
            let held = backlog.popFirst()
            if held == nil { isOpen.store(true, ordering: .releasing) }
            return held
        }
    }
}

/// A live message that waits behind the replay of one registration.
///
/// Called once, by the thread that runs the replay.
typealias GatedCall = @Sendable (Registration) -> Void

extension Registration {
    /// Keeps a live message until this registration's replay is over; false if it is over, or if
    /// there is none.
    func holdsBack(_ call: @autoclosure () -> GatedCall) -> Bool {
        guard flags.contains(.gated), let gate = context.gate else { return false }
        return gate.holds(call())
    }
}
