// SPDX-License-Identifier: Apache-2.0

extension Clock where Duration == Swift.Duration {
    /// Returns a closure that measures the time since now.
    func elapsed() -> @Sendable () -> Duration {
        // Reading this clock through the protocol takes twice as long.
        if self is ContinuousClock {
            let start = ContinuousClock.now
            return { start.duration(to: ContinuousClock.now) }
        }
        let start = now
        return { start.duration(to: now) }
    }
}
