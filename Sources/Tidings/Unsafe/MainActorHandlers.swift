// SPDX-License-Identifier: Apache-2.0

// A main-actor handler is kept as a plain closure: calling it through `MainActor.assumeIsolated`
// would allocate a closure context for each call.

extension ClosureRegistration {
    /// Creates a registration for a closure that runs on the main actor.
    convenience init(
        _ settings: RegistrationSettings,
        main handler: @escaping @MainActor @Sendable (Input) throws -> Void
    ) {
        // Invariant: a synchronous function that is bound to an actor is called like any other, and
        // a registration for the main actor is only called where ``MainActorCheck`` returns true.
        let plain = unsafe unsafeBitCast(
            handler,
            to: (@Sendable (Input) throws -> Void).self
        )
        self.init(settings, plain)
    }
}

extension OwnedRegistration {
    /// Creates a registration for a closure that runs on the main actor, with an owner.
    convenience init(
        _ settings: RegistrationSettings,
        _ owner: Owner,
        main handler: @escaping @MainActor @Sendable (Owner, Input) throws -> Void
    ) {
        // Invariant: as for the closure above; the owner is one more first parameter on both sides.
        let plain = unsafe unsafeBitCast(
            handler,
            to: (@Sendable (Owner, Input) throws -> Void).self
        )
        self.init(settings, owner, plain)
    }
}
