// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// One message on its way through the interceptors of a center.
final class Interception: Sendable {
    private let type: ObjectIdentifier
    /// Nil once it was dropped.
    private let current: Lock<(any Message)?>

    init<M: Message>(_ message: M) {
        type = ObjectIdentifier(M.self)
        current = Lock(message)
    }

    /// The message as the interceptors have left it so far.
    var message: (any Message)? { current.withLock { $0 } }

    /// Changes or drops a message of one type; others pass.
    func pass<M: Message>(_ type: M.Type, _ change: (M) -> M?) {
        guard self.type == ObjectIdentifier(type), let message = message as? M else { return }
        replace(with: change(message))
    }

    /// Drops a message of any type if `isWanted` says no.
    func pass(_ isWanted: (any Message) -> Bool) {
        guard let message, !isWanted(message) else { return }
        replace(with: nil)
    }

    private func replace(with message: (any Message)?) {
        let replaced = current.withLock { current in
            defer { current = message }
            return current
        }
        // Released here, not under the lock.
        withExtendedLifetime(replaced) {}
    }
}

extension MessageCenter {
    /// Shows a message to the interceptors, which may change it; false if one dropped it.
    ///
    /// On the poster's thread, before anybody is addressed and outside the turn of the post.
    func passesInterceptors<M: Message>(_ delivery: inout Delivery<M>) -> Bool {
        guard !interceptors.isEmpty else { return true }
        let interception = Interception(delivery.message)
        var hasOrphans = false
        DeliveryThread.current.reading(interceptors) {
            interceptors.snapshot().visit { registration in
                guard interception.message != nil else { return }
                let outcome = Incoming.with(interception) { try? registration.call($0) }
                if case .orphan = outcome { hasOrphans = true }
            }
        }
        if hasOrphans { interceptors.sweep() }
        guard let message = interception.message as? M else {
            traceUndelivered(delivery, .intercepted)
            return false
        }
        delivery.message = message
        return true
    }
}
