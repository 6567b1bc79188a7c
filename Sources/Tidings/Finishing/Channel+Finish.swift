// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Channel {
    /// Accepts no more registrations, retains nothing, and hides the current registrations from
    /// everything that is sent from now on.
    ///
    /// These registrations have not ended: messages that were sent before still reach them.
    ///
    /// - Returns: The current registrations, kept for the deliveries in progress, or nil if the
    ///   channel was finished before.
    func finish() -> SubscriberSnapshot? {
        let (leaving, dropped) = subscribers.withLock { subscribers in
            let dropped = subscribers.retained
            subscribers.retained = nil
            return (finish(&subscribers), dropped)
        }
        // The messages are released here, not under the lock.
        withExtendedLifetime(dropped) {}
        return leaving
    }

    /// Ends a registration that came after the channel was finished.
    func reject(_ registration: Registration) {
        // No thread has seen the registration, so no thread can be reading the handler.
        if registration.end() { registration.releaseClosures() }
    }
}

/// Registrations that have ended, until their queues are drained.
final class DrainingRegistrations: Sendable {
    private let registrations = Lock<[UInt64: Registration]>([:])

    var all: [Registration] { registrations.withLock { Array($0.values) } }

    /// Keeps a registration until all pending messages are handled.
    func insert(_ registration: Registration) {
        let id = registration.identifier
        registrations.withLock { $0[id] = registration }
        registration.whenDrained { [weak self] in
            // The registration is released here, not under the lock.
            let released = self?.registrations.withLock { $0.removeValue(forKey: id) }
            withExtendedLifetime(released) {}
        }
    }
}
