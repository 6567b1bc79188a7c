// SPDX-License-Identifier: Apache-2.0

/// Calls a closure after some time, unless it is cancelled first.
struct Deadline: Sendable {
    private let task: Task<Void, Never>?

    /// - Parameters:
    ///   - duration: How long to wait; nil for ever.
    ///   - clock: The clock that measures it.
    ///   - action: Called with the duration, in a task of its own.
    init(
        after duration: Duration?,
        on clock: some Clock<Duration>,
        _ action: @escaping @Sendable (Duration) -> Void
    ) {
        guard let duration else {
            task = nil
            return
        }
        // The runtime's clocks fail on an instant that is too far away, so 30 years count as for
        // ever.
        let end = clock.now.advanced(by: min(duration, .seconds(1_000_000_000)))
        task = Task {
            // A cancelled deadline does not call the action.
            if (try? await clock.sleep(until: end, tolerance: nil)) != nil { action(duration) }
        }
    }

    func cancel() {
        task?.cancel()
    }
}
