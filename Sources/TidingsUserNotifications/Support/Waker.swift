// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A sleep that somebody can end early.
final class Waker: Sendable {
    /// A change of the zone wakes nobody, so nobody sleeps for longer.
    static let tick = Duration.seconds(60)

    private struct State {
        var isPoked = false
        var sleep: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// Sleeps until a date, a tick, or until it is poked; at once if it was poked before.
    func sleep(until date: Date?, on clock: any NotificationClock) async {
        let sleep = Task { _ = try? await clock.sleep(until: date, atMost: Self.tick) }
        let isPoked = state.withLock { state in
            if !state.isPoked { state.sleep = sleep }
            return state.isPoked
        }
        if isPoked { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        state.withLock { state in
            state.isPoked = false
            state.sleep = nil
        }
    }

    func poke() {
        let sleep = state.withLock { state in
            state.isPoked = true
            return state.sleep
        }
        sleep?.cancel()
    }
}
