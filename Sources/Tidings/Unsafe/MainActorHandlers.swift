// SPDX-License-Identifier: Apache-2.0

// A handler of the main actor, kept as a plain one: called by way of `MainActor.assumeIsolated`
// each call would allocate what that keeps of its closure.

extension ClosureRegistration {
    /// A closure that runs on the main actor.
    convenience init(
        _ settings: RegistrationSettings,
        main handler: @escaping @MainActor @Sendable (Input) throws -> Void
    ) {
        // Invariant: a synchronous function that is bound to an actor is called like one that is
        // not,
        // and a registration for the main actor is only called where ``MainActorCheck`` says yes.
        let plain = unsafe unsafeBitCast(
            handler,
            to: (@Sendable (Input) throws -> Void).self
        )
        self.init(settings, plain)
    }
}

extension OwnedRegistration {
    /// A closure that runs on the main actor, with an owner.
    convenience init(
        _ settings: RegistrationSettings,
        _ owner: Owner,
        main handler: @escaping @MainActor @Sendable (Owner, Input) throws -> Void
    ) {
        // Invariant: as of the closure above; an owner in front is one more parameter on both
        // sides.
        let plain = unsafe unsafeBitCast(
            handler,
            to: (@Sendable (Owner, Input) throws -> Void).self
        )
        self.init(settings, owner, plain)
    }
}
