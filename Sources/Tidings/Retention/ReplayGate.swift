// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The messages that other threads send to an observer during the replay.
///
/// The gate is closed at first. The thread that runs the replay takes the held messages one by one.
/// The gate opens when no message is left, so that no newer message overtakes an older one.
final class ReplayGate<Held: Sendable>: Sendable {
    private let backlog = Lock(Fifo<Held>())
    private let isOpen = Atomic(false)

    /// Holds a message until the earlier messages were delivered.
    ///
    /// - Returns: False if the gate is open.
    func holds(_ held: @autoclosure () -> Held) -> Bool {
        if isOpen.load(ordering: .acquiring) { return false }
        let held = held()
        return backlog.withLock { backlog in
            if isOpen.load(ordering: .relaxed) { return false }
            backlog.append(held)
            return true
        }
    }

    /// Returns the message that has waited longest, or opens the gate and returns nil.
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
/// The thread that runs the replay makes this call once.
typealias GatedCall = @Sendable (Registration) -> Void

extension Registration {
    /// Keeps a live message until this registration's replay is over.
    ///
    /// - Returns: False if the replay is over or the registration has no replay.
    func holdsBack(_ call: @autoclosure () -> GatedCall) -> Bool {
        guard flags.contains(.gated), let gate = context.gate else { return false }
        return gate.holds(call())
    }
}
