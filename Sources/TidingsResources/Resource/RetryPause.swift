// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Reports whether the machine is offline, independent of the type of the connectivity state.
struct RetryPause: Sendable {
    private let observe: @Sendable (@escaping @Sendable (Bool) -> Void) -> ObservationToken

    init<Value>(
        _ publisher: StatePublisher<Value>,
        _ isOffline: @escaping @Sendable (Value) -> Bool
    ) {
        observe = { action in
            // Without a value the connectivity is unknown, so retries continue.
            publisher.observe { state in action(state.value.map(isOffline) ?? false) }
        }
    }

    /// Waits for the next attempt of a load, or until the task is cancelled.
    func wait(for delay: Duration, on timeline: Timeline) async {
        let (steps, ends) = AsyncStream.makeStream(of: Never.self)
        let wait = Lock(RetryWait())
        let token = observe { isOffline in
            if wait.withLock({ $0.set(isOffline: isOffline) }) { ends.finish() }
        }
        let timer = timeline.task(at: timeline.now + delay) {
            if wait.withLock({ $0.delayEnded() }) { ends.finish() }
        }
        for await _ in steps {}
        timer.cancel()
        token.cancel()
    }
}

extension Timeline {
    /// Waits for the next attempt of a load, or until the task is cancelled.
    func sleep(for delay: Duration, pausedBy pause: RetryPause?) async {
        guard let pause else { return await sleep(for: delay) }
        await pause.wait(for: delay, on: self)
    }
}
