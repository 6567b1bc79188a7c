// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Channel {
    /// Accepts no more registrations, retains nothing, and hides the current registrations from
    /// everything that is sent from now on.
    ///
    /// They have not ended: messages that were sent before still reach them.
    ///
    /// - Returns: The current registrations, kept for the deliveries in progress; nil if the
    ///   channel was finished before.
    func finish() -> SubscriberSnapshot? {
        let (leaving, dropped) = subscribers.withLock { subscribers in
            let dropped = subscribers.retained
            subscribers.retained = nil
            return (finish(&subscribers), dropped)
        }
        // Released here, not under the lock.
        withExtendedLifetime(dropped) {}
        return leaving
    }

    /// Ends a registration that came after the channel was finished.
    func reject(_ registration: Registration) {
        // No thread has seen it, so none can be reading its handler.
        if registration.end() { registration.releaseClosures() }
    }
}
