// SPDX-License-Identifier: Apache-2.0

/// When posts that wait are due: the time of a clock, or the turns of the main actor.
struct Timeline: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let begin: @Sendable (Duration, @escaping @Sendable () -> Void) -> Task<Void, Never>

    /// The time since now on `clock`.
    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        begin = { deadline, action in
            // Detached: it serves all posters, so it inherits no task-local value of this one.
            Task.detached {
                // Who is woken early asks again, and no clock of the runtime survives an instant
                // that is too far away.
                let wake = min(deadline, origin.duration(to: clock.now) + Self.longestSleep)
                try? await clock.sleep(until: origin.advanced(by: wake), tolerance: nil)
                action()
            }
        }
    }

    /// Waits for a time, or until the task is cancelled.
    func sleep(for duration: Duration) async {
        let deadline = now + min(duration, Self.longestSleep)
        let timer = task(at: deadline) {}
        await withTaskCancellationHandler {
            await timer.value
        } onCancel: {
            timer.cancel()
        }
    }

    private static var longestSleep: Duration { .seconds(1_000_000_000) }

    private init(mainTurn: Void) {
        elapsed = { .zero }
        begin = { _, action in
            Task.detached { @MainActor in action() }
        }
    }

    /// The next turn of the main actor, whatever the deadline.
    static let mainTurn = Timeline(mainTurn: ())

    /// The time since the timeline was made.
    var now: Duration { elapsed() }

    /// Calls `action` at `deadline`, or at once if that has passed.
    ///
    /// Cancelled, it calls earlier.
    func task(at deadline: Duration, _ action: @escaping @Sendable () -> Void) -> Task<Void, Never>
    {
        begin(deadline, action)
    }
}
