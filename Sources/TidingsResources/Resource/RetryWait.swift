// SPDX-License-Identifier: Apache-2.0

/// The wait of a load for its next attempt, as a value.
///
/// The attempt starts after the delay, but not while the machine is offline, and immediately when
/// the machine comes online.
struct RetryWait: Sendable {
    private var isOffline = false
    private var isDue = false
    private var isOver = false

    /// Called when the delay is over, and returns whether the attempt starts now.
    mutating func delayEnded() -> Bool {
        isDue = true
        return !isOffline && end()
    }

    /// Called when the machine goes offline or online, and returns whether the attempt starts now.
    mutating func set(isOffline: Bool) -> Bool {
        let hasReturned = self.isOffline && !isOffline
        self.isOffline = isOffline
        return (hasReturned || isDue && !isOffline) && end()
    }

    /// Ends the wait, and returns true only once.
    private mutating func end() -> Bool {
        defer { isOver = true }
        return !isOver
    }
}
