// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
internal import TidingsBridge

/// Ends a connection whose server has stopped answering.
final class Watchdog: Sendable {
    // Unchecked: a source of Dispatch may be used from any thread.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    /// Starts the checks.
    init(_ parts: NATSConnection.Parts) {
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        timer.setEventHandler { [parts] in
            let now = ContinuousClock.now
            if parts.requests.isOverdue(at: now) {
                parts.end.end(.overdue, "The server did not answer in time.")
            } else if parts.readers.isSilent(at: now) {
                parts.end.end(.overdue, "The server has stopped sending heartbeats.")
            }
        }
        timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
        timer.activate()
    }

    /// Ends the checks.
    func stop() {
        timer.cancel()
    }
}
#endif
