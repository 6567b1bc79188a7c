// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Returns what `operation` returns, or nil when `limit` has passed on `clock` first.
///
/// An operation that is late is cancelled but not waited for: the limit holds for one that does
/// not listen, too.
func value<Value: Sendable>(
    within limit: Duration,
    on clock: any NotificationClock,
    of operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let race = Race<Value?>()
    let work = Task { race.finish(await operation()) }
    let timer = Task {
        // A cancelled timer has lost, and so has whatever it would say.
        if (try? await clock.sleep(for: limit)) != nil { race.finish(nil) }
    }
    let winner = await race.result
    work.cancel()
    timer.cancel()
    return winner
}

/// The first result of several tasks, for one that waits.
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
