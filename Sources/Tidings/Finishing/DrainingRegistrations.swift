// SPDX-License-Identifier: Apache-2.0
import TidingsLock

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
