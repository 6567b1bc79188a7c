// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

extension MessageCenter {
    /// Registers an observation of a name.
    func add<Element: Sendable>(
        named name: String,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        let channel = registry.withLock { $0.enter(name) }
        let token = add(options.settings(in: channel, on: place, at: source), to: channel, make)
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
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        // The reason is added before the registration is visible, so that no post misses the
        // registration.
        registry.withLock { $0.add(.inline(1)) }
        var settings = options.settings(in: wildcards, on: place, at: source)
        settings.addDidEnd { [weak self] in
            self?.registry.withLock { $0.add(.inline(-1)) }
        }
        return add(settings, to: wildcards, make)
    }

    func add(
        _ settings: RegistrationSettings,
        to channel: Channel,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        let registration = make(settings)
        channel.insert(registration)
        channel.sweep(atMost: SubscriberList.sweepLimit)
        return ObservationToken(registration)
    }

    /// Forgets names that no longer have observers.
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
