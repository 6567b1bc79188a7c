// SPDX-License-Identifier: Apache-2.0

/// Whether a source runs that is only needed while there are observers, as a value.
///
/// One caller at a time switches, and also makes the switches that become due meanwhile.
struct PresenceState: Sendable {
    private var isStarted = false
    private var isSwitching = false
    private var hasEnded = false

    /// The action that the caller takes outside the lock, before it calls `finish`.
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

    /// Ends the action that `update` returned, and may return another one.
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
