// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The observations of a finishing center, until each has handled all accepted messages.
final class DrainGroup: Sendable {
    private struct Waiter {
        /// The observations that this waiter ignores.
        let excluded: Set<UInt64>
        let action: @Sendable () -> Void
    }

    private struct State {
        var isBegun = false
        /// The number of unfinished steps of the center's end.
        var steps = 0
        var registrations: [UInt64: Registration] = [:]
        var waiters: [Waiter] = []

        func isOver(for waiter: Waiter) -> Bool {
            isBegun && steps == 0 && registrations.keys.allSatisfy(waiter.excluded.contains)
        }

        /// Takes out the waiters that have nothing left to wait for.
        mutating func takeWaiters() -> [Waiter] {
            guard isBegun, steps == 0, !waiters.isEmpty else { return [] }
            let over = waiters.filter(isOver)
            waiters.removeAll(where: isOver)
            return over
        }
    }

    private let state = Lock(State())

    /// The observations that have not handled everything yet, in order of registration.
    var remaining: [Registration] {
        state.withLock { Array($0.registrations.values) }.sorted { $0.identifier < $1.identifier }
    }

    /// Starts a step of the center's end, with the observations that this step ends.
    func begin(_ registrations: [Registration] = []) {
        state.withLock { state in
            state.isBegun = true
            state.steps += 1
            for registration in registrations {
                state.registrations[registration.identifier] = registration
            }
        }
    }

    /// Ends a step.
    func end() {
        change { $0.steps -= 1 }
    }

    /// Waits until these observations, which receive nothing more, have handled their messages.
    func leave(_ registrations: [Registration]) {
        for registration in registrations {
            registration.whenDrained { [self] in
                // The registration is released after the change, outside the lock.
                change { $0.registrations[registration.identifier] = nil }
            }
        }
    }

    /// Calls `action` once everything is handled, or immediately if nothing is left.
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

/// The closures to call once an object has nothing left to handle.
struct DrainActions: Sendable {
    private var actions: [@Sendable () -> Void] = []

    mutating func append(_ action: @escaping @Sendable () -> Void) {
        actions.append(action)
    }

    /// Takes the closures out if nothing is left, for the caller to call outside the lock.
    mutating func take(if isDrained: Bool) -> [@Sendable () -> Void] {
        guard isDrained, !actions.isEmpty else { return [] }
        defer { actions = [] }
        return actions
    }
}
