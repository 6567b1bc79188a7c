// SPDX-License-Identifier: Apache-2.0

/// Calls back after some time, unless it is cancelled first.
struct Deadline: Sendable {
    private let task: Task<Void, Never>?

    /// - Parameters:
    ///   - duration: How long to wait; nil for ever.
    ///   - clock: What measures that.
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
        // No clock of the runtime survives an instant that is too far away: 30 years are for ever.
        let end = clock.now.advanced(by: min(duration, .seconds(1_000_000_000)))
        task = Task {
            // One that is cancelled says nothing.
            if (try? await clock.sleep(until: end, tolerance: nil)) != nil { action(duration) }
        }
    }

    func cancel() {
        task?.cancel()
    }
}
