// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Registers an observation of a name.
    func add(
        named name: String,
        _ wish: ObservationWish<UntypedMessage>,
        on place: RegistrationTraits = [],
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        let channel = registry.withLock { $0.enter(name) }
        let token = add(wish.terms(in: channel, on: place), to: channel, make)
        let isCrowded = registry.withLock { registry in
            registry.names.leave(name)
            return registry.names.isCrowded
        }
        if isCrowded { tidyNames() }
        return token
    }

    /// Registers an observation of all messages.
    func addWildcard(
        _ wish: ObservationWish<any Message>,
        on place: RegistrationTraits = [],
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        // Before the registration is shown: from then on no post overlooks it.
        registry.withLock { $0.addDetour(1) }
        var terms = wish.terms(in: wildcards, on: place)
        terms.extras = .adding(to: terms.extras) { [weak self] in
            self?.registry.withLock { $0.addDetour(-1) }
        }
        return add(terms, to: wildcards, make)
    }

    private func add(
        _ terms: RegistrationTerms,
        to channel: Channel,
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        let registration = make(terms)
        channel.insert(registration)
        channel.sweep(atMost: Roster.sweepLimit)
        return ObservationToken(registration)
    }

    /// Forgets names that nobody observes any more.
    private func tidyNames() {
        for channel in registry.withLock({ $0.names.channels }) { channel.sweep() }
        let idle = registry.withLock { $0.names.removeIdle() }
        Readers.afterLeaving(UInt(bitPattern: ObjectIdentifier(self))) {
            withExtendedLifetime(idle) {}
        }
    }
}

extension ObservationWish {
    fileprivate func terms(
        in channel: Channel,
        on place: RegistrationTraits
    ) -> RegistrationTerms {
        RegistrationTerms(
            home: channel,
            priority: priority,
            traits: traits.union(place),
            source: source,
            extras: extras
        )
    }
}
