// SPDX-License-Identifier: Apache-2.0

/// The time that determines when delayed posts are due, by a clock or by the turns of the main
/// actor.
package struct Timeline: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let begin: @Sendable (Duration, @escaping @Sendable () -> Void) -> Task<Void, Never>

    /// Creates a timeline that measures the time from now on `clock`.
    package init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        begin = { deadline, action in
            // The task is detached, because the task serves all posters and must not inherit
            // task-local values of this poster.
            Task.detached {
                // The runtime's clocks fail on an instant that is too far away, so the sleep is
                // limited. An action that is called early sets the timer again.
                let wake = min(deadline, origin.duration(to: clock.now) + Self.longestSleep)
                try? await clock.sleep(until: origin.advanced(by: wake), tolerance: nil)
                action()
            }
        }
    }

    /// Waits for the given time, or until the task is cancelled.
    package func sleep(for duration: Duration) async {
        let deadline = now + min(duration, Self.longestSleep)
        let timer = task(at: deadline) {}
        await withTaskCancellationHandler {
            await timer.value
        } onCancel: {
            timer.cancel()
        }
    }

    private static var longestSleep: Duration { .seconds(1_000_000_000) }

    /// The time since the timeline was created.
    package var now: Duration { elapsed() }

    /// Calls `action` at `deadline`, or immediately if the deadline has passed.
    ///
    /// A cancelled task calls `action` earlier.
    package func task(
        at deadline: Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        begin(deadline, action)
    }
}

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
