// SPDX-License-Identifier: Apache-2.0

extension NotificationForwarder {
    /// The state of one observer handle of Foundation, which must be removed exactly once.
    ///
    /// On Linux, the handle is a number that Foundation uses again. Removing the same handle twice
    /// removes an unrelated observer.
    struct Registration<Handle: Sendable>: Sendable {
        private enum Phase {
            case registering
            case registered(Handle)
            case ended
        }

        private var phase = Phase.registering

        /// Stores the handle, or returns the handle to remove if the forwarder has already ended.
        mutating func complete(with handle: Handle) -> Handle? {
            if case .registering = phase {
                phase = .registered(handle)
                return nil
            }
            return handle
        }

        /// Ends the registration, and returns the handle if the forwarder must remove the handle.
        mutating func end() -> Handle? {
            defer { phase = .ended }
            if case .registered(let handle) = phase { return handle }
            return nil
        }
    }
}
