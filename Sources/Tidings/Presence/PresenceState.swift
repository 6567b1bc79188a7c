// SPDX-License-Identifier: Apache-2.0

/// Whether something runs that is only needed while somebody observes, as a value.
///
/// One caller at a time switches; what others learn meanwhile is left to it.
struct PresenceState: Sendable {
    private var isStarted = false
    private var isSwitching = false
    private var hasEnded = false

    /// What the caller does after it has left the lock; then it says `finish`.
    enum Action: Equatable {
        case none
        case start
        case stop
    }

    /// Takes note of whether anybody observes.
    mutating func update(isObserved: Bool) -> Action {
        let isWanted = isObserved && !hasEnded
        guard !isSwitching, isWanted != isStarted else { return .none }
        isSwitching = true
        isStarted = isWanted
        return isWanted ? .start : .stop
    }

    /// Ends what `update` asked for, and may ask for more.
    mutating func finish(isObserved: Bool) -> Action {
        isSwitching = false
        return update(isObserved: isObserved)
    }

    /// Wants nothing any more.
    mutating func end() {
        hasEnded = true
    }

    /// Whether nothing runs and nothing will.
    var isOver: Bool { hasEnded && !isStarted && !isSwitching }
}
