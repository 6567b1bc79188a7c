// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

extension MessageCenter {
    /// Registers an observation of a name.
    func add<Element: Sendable>(
        named name: String,
        _ options: ObservationOptions<Element>,
        on place: RegistrationTraits,
        at source: SourceLocation,
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        let channel = registry.withLock { $0.enter(name) }
        let token = add(options.terms(in: channel, on: place, at: source), to: channel, make)
        let isCrowded = registry.withLock { registry in
            registry.names.leave(name)
            return registry.names.isCrowded
        }
        if isCrowded { tidyNames() }
        return token
    }

    /// Registers an observation of all messages.
    func addWildcard<Element: Sendable>(
        _ options: ObservationOptions<Element>,
        on place: RegistrationTraits,
        at source: SourceLocation,
        _ make: (RegistrationTerms) -> Registration
    ) -> ObservationToken {
        // Before the registration is shown: from then on no post overlooks it.
        registry.withLock { $0.add(.here(1)) }
        var terms = options.terms(in: wildcards, on: place, at: source)
        terms.extras = .adding(to: terms.extras) { [weak self] in
            self?.registry.withLock { $0.add(.here(-1)) }
        }
        return add(terms, to: wildcards, make)
    }

    func add(
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
        let idle = registry.withLock { registry in
            nameVersion.add(1, ordering: .sequentiallyConsistent)
            return registry.names.removeIdle()
        }
        Readers.afterLeaving(UInt(bitPattern: ObjectIdentifier(self))) {
            withExtendedLifetime(idle) {}
        }
    }
}
