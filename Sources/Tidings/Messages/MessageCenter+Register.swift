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
