// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The observations of a center that finishes, until each has handled everything that it took.
final class DrainGroup: Sendable {
    private struct Waiter {
        /// The observations that it does not wait for.
        let excluded: Set<UInt64>
        let action: @Sendable () -> Void
    }

    private struct State {
        var isBegun = false
        /// The parts of the center's end that are not done.
        var steps = 0
        var registrations: [UInt64: Registration] = [:]
        var waiters: [Waiter] = []

        func isOver(for waiter: Waiter) -> Bool {
            isBegun && steps == 0 && registrations.keys.allSatisfy(waiter.excluded.contains)
        }

        /// Takes the waiters out that have nothing to wait for any more.
        mutating func takeWaiters() -> [Waiter] {
            guard isBegun, steps == 0, !waiters.isEmpty else { return [] }
            let over = waiters.filter(isOver)
            waiters.removeAll(where: isOver)
            return over
        }
    }

    private let state = Lock(State())

    /// The observations that have not handled everything yet, in the order in which they began.
    var remaining: [Registration] {
        state.withLock { Array($0.registrations.values) }.sorted { $0.identifier < $1.identifier }
    }

    /// Begins a part of the end, with the observations that it ends.
    func begin(_ registrations: [Registration] = []) {
        state.withLock { state in
            state.isBegun = true
            state.steps += 1
            for registration in registrations {
                state.registrations[registration.identifier] = registration
            }
        }
    }

    /// Ends a part.
    func end() {
        change { $0.steps -= 1 }
    }

    /// Waits for what these observations still have to handle; nothing is sent to them any more.
    func leave(_ registrations: [Registration]) {
        for registration in registrations {
            registration.whenDrained { [self] in
                // Released when the change is over, outside the lock.
                change { $0.registrations[registration.identifier] = nil }
            }
        }
    }

    /// Calls `action` once everything is handled, at once if it is.
    func whenOver(excluding excluded: Set<UInt64> = [], _ action: @escaping @Sendable () -> Void) {
        change { $0.waiters.append(Waiter(excluded: excluded, action: action)) }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.action() }
    }
}

/// Closures that are called once something has nothing left to handle.
struct DrainActions: Sendable {
    private var actions: [@Sendable () -> Void] = []

    mutating func append(_ action: @escaping @Sendable () -> Void) {
        actions.append(action)
    }

    /// Takes the closures out if nothing is left, to be called outside the lock.
    mutating func take(if isDrained: Bool) -> [@Sendable () -> Void] {
        guard isDrained, !actions.isEmpty else { return [] }
        defer { actions = [] }
        return actions
    }
}
