// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// A sleep that another task can end early.
final class SleepTimer: Sendable {
    /// The longest sleep.
    ///
    /// A change of the time zone posts no event, so the caller checks this often.
    static let maximum = Duration.seconds(60)

    private struct State {
        var isWoken = false
        var sleep: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// Sleeps until a date, a limit or a call of ``wake()``, also one made before the sleep.
    func sleep(until date: Date?, atMost limit: Duration, on clock: any NotificationClock) async {
        let sleep = Task { _ = try? await clock.sleep(until: date, atMost: limit) }
        let isWoken = state.withLock { state in
            if !state.isWoken { state.sleep = sleep }
            return state.isWoken
        }
        if isWoken { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        state.withLock { state in
            state.isWoken = false
            state.sleep = nil
        }
    }

    func wake() {
        let sleep = state.withLock { state in
            state.isWoken = true
            return state.sleep
        }
        sleep?.cancel()
    }
}
