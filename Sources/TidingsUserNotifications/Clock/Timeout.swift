// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Returns the result of `operation`, or nil if `limit` passes on `clock` first.
///
/// A late operation is cancelled but not awaited, so the limit also holds for an operation that
/// ignores cancellation.
func value<Value: Sendable>(
    within limit: Duration,
    on clock: any NotificationClock,
    of operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let race = Race<Value?>()
    let work = Task { race.finish(await operation()) }
    let timer = Task {
        // A cancelled timer must not finish the race.
        if (try? await clock.sleep(for: limit)) != nil { race.finish(nil) }
    }
    let winner = await race.result
    work.cancel()
    timer.cancel()
    return winner
}

/// The first result of several tasks, for one waiter.
private final class Race<Result: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Result, Never>)
        case finished(Result)
    }

    private let state = Lock(State.running)

    func finish(_ result: Result) {
        let waiter = state.withLock { state -> CheckedContinuation<Result, Never>? in
            switch state {
            case .running:
                state = .finished(result)
                return nil
            case .awaited(let waiter):
                state = .finished(result)
                return waiter
            case .finished:
                return nil
            }
        }
        waiter?.resume(returning: result)
    }

    var result: Result {
        get async {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Result? in
                    if case .finished(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }
}
