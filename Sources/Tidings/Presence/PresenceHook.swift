// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Starts and stops a source with the first and the last observation of a channel.
final class PresenceHook: Sendable {
    private struct Switches {
        let start: @Sendable () -> Void
        let stop: @Sendable () -> Void
    }

    private let state = Lock(PresenceState())
    /// Nil once the hook is over.
    private let switches: Lock<Switches?>

    init(start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
        switches = Lock(Switches(start: start, stop: stop))
    }

    /// Starts or stops the source, if that is due, until the state matches the observations.
    ///
    /// - Parameter isObserved: Whether there is an observation. Called again after each switch,
    ///   under a lock, so this closure must not call foreign code.
    func update(isObserved: () -> Bool) {
        var action = state.withLock { $0.update(isObserved: isObserved()) }
        while action != .none {
            let switches = switches.withLock { $0 }
            if action == .start { switches?.start() } else { switches?.stop() }
            action = state.withLock { $0.finish(isObserved: isObserved()) }
        }
        guard state.withLock({ $0.isOver }) else { return }
        // The closures are released here, not under the lock.
        let released = switches.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }

    /// Ends the hook and stops a running source for good.
    func end() {
        state.withLock { $0.end() }
        update { false }
    }
}

/// The state of a source that is only needed while there are observers, as a value.
///
/// One caller at a time switches the source, and also makes the switches that become due in
/// between.
struct PresenceState: Sendable {
    private var isStarted = false
    private var isSwitching = false
    private var hasEnded = false

    /// The action that the caller takes outside the lock, before calling `finish`.
    enum Action: Equatable {
        case none
        case start
        case stop
    }

    /// Decides on an action after a change of the observations.
    mutating func update(isObserved: Bool) -> Action {
        let isWanted = isObserved && !hasEnded
        guard !isSwitching, isWanted != isStarted else { return .none }
        isSwitching = true
        isStarted = isWanted
        return isWanted ? .start : .stop
    }

    /// Ends the action that `update` returned, and may return another action.
    mutating func finish(isObserved: Bool) -> Action {
        isSwitching = false
        return update(isObserved: isObserved)
    }

    /// Forbids every later start.
    mutating func end() {
        hasEnded = true
    }

    /// Whether nothing runs and nothing will run.
    var isOver: Bool { hasEnded && !isStarted && !isSwitching }
}
