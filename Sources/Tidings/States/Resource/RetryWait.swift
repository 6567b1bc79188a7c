// SPDX-License-Identifier: Apache-2.0

/// How long a load waits for its next attempt, as a value.
///
/// The attempt begins when its delay is over, but not while the machine is offline, and at once
/// when it comes online.
struct RetryWait: Sendable {
    private var isOffline = false
    private var isDue = false
    private var isOver = false

    /// The delay is over; returns whether the attempt begins now.
    mutating func delayEnded() -> Bool {
        isDue = true
        return !isOffline && end()
    }

    /// The machine is offline or online; returns whether the attempt begins now.
    mutating func set(isOffline: Bool) -> Bool {
        let hasReturned = self.isOffline && !isOffline
        self.isOffline = isOffline
        return (hasReturned || isDue && !isOffline) && end()
    }

    /// Ends the wait; true once.
    private mutating func end() -> Bool {
        defer { isOver = true }
        return !isOver
    }
}
