// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Channel {
    /// Takes no registration any more, retains nothing, and hides those who are registered from
    /// what is sent from now on.
    ///
    /// They have not ended: what was sent before still reaches them.
    ///
    /// - Returns: Those who were registered; they are kept for those who send to them now.
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

    /// Ends a registration for which there was no place any more.
    func reject(_ registration: Registration) {
        // Nobody has seen it, so nobody can be reading its handler.
        if registration.end() { registration.releaseClosures() }
    }
}
