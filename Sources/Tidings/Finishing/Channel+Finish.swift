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

/// Registrations that have ended, until their queues are drained.
final class DrainingRegistrations: Sendable {
    private let registrations = Lock<[UInt64: Registration]>([:])

    var all: [Registration] { registrations.withLock { Array($0.values) } }

    /// Keeps a registration until it has handled its pending messages.
    func insert(_ registration: Registration) {
        let id = registration.identifier
        registrations.withLock { $0[id] = registration }
        registration.whenDrained { [weak self] in
            // Released here, not under the lock.
            let released = self?.registrations.withLock { $0.removeValue(forKey: id) }
            withExtendedLifetime(released) {}
        }
    }
}
