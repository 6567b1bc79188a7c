// SPDX-License-Identifier: Apache-2.0

extension NotificationIntake {
    /// Foundation's handle of an observer, which must be handed back exactly once.
    ///
    /// On Linux the handle is a number that is used again: handed back twice, it takes out the
    /// observer of somebody else.
    struct Registration<Handle: Sendable>: Sendable {
        private enum Phase {
            case registering
            case registered(Handle)
            case ended
        }

        private var phase = Phase.registering

        /// Keeps the handle; returns it if the intake has ended meanwhile and it must go back.
        mutating func complete(with handle: Handle) -> Handle? {
            if case .registering = phase {
                phase = .registered(handle)
                return nil
            }
            return handle
        }

        /// Ends the registration; returns the handle if it must go back.
        mutating func end() -> Handle? {
            defer { phase = .ended }
            if case .registered(let handle) = phase { return handle }
            return nil
        }
    }
}
