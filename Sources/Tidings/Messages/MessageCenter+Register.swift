// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Registers an observation of `M`.
    func add<M: Message>(
        _ wish: ObservationWish<M>,
        on place: RegistrationTraits = [],
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        channel(of: M.self, on: .current).use { channel in
            let terms = RegistrationTerms(
                home: channel,
                priority: wish.priority,
                traits: wish.traits.union(place),
                source: wish.source,
                extras: wish.extras
            )
            let registration = register(terms, in: channel, replay: wish.replay, of: M.self, make)
            channel.sweep(atMost: Roster.sweepLimit)
            return ObservationToken(registration)
        }
    }
}

extension ClosureRegistration {
    /// A closure that runs on the main actor.
    convenience init(
        _ terms: RegistrationTerms,
        main handler: @escaping @MainActor @Sendable (Input) throws -> Void
    ) {
        self.init(terms) { value in try MainActor.assumeIsolated { try handler(value) } }
    }
}

extension OwnedRegistration {
    /// A closure that runs on the main actor, with an owner.
    convenience init(
        _ terms: RegistrationTerms,
        _ owner: Owner,
        main handler: @escaping @MainActor @Sendable (Owner, Input) throws -> Void
    ) {
        self.init(terms, owner) { owner, value in
            try MainActor.assumeIsolated { try handler(owner, value) }
        }
    }
}
