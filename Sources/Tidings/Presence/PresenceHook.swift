// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Starts and stops something with the first and the last observation of a channel.
final class PresenceHook: Sendable {
    private struct Switches {
        let start: @Sendable () -> Void
        let stop: @Sendable () -> Void
    }

    private let state = Lock(PresenceState())
    /// Nil when it is over.
    private let switches: Lock<Switches?>

    init(start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
        switches = Lock(Switches(start: start, stop: stop))
    }

    /// Starts or stops, if that is due, until it fits what is true then.
    ///
    /// - Parameter isObserved: Whether anybody observes; asked again after each switch, under a
    ///   lock: nothing foreign.
    func update(isObserved: () -> Bool) {
        var action = state.withLock { $0.update(isObserved: isObserved()) }
        while action != .none {
            let switches = switches.withLock { $0 }
            if action == .start { switches?.start() } else { switches?.stop() }
            action = state.withLock { $0.finish(isObserved: isObserved()) }
        }
        guard state.withLock({ $0.isOver }) else { return }
        // Released here, not under the lock.
        let released = switches.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }

    /// Stops what runs, for good.
    func end() {
        state.withLock { $0.end() }
        update { false }
    }
}
