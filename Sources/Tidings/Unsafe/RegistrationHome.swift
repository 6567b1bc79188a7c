// SPDX-License-Identifier: Apache-2.0

/// An object that keeps registrations and removes each one when it has ended.
///
/// A class, so that each of a million references to it takes one word. Invariant: its stored
/// property is constant; the compiler checks that for no class with subclasses.
class RegistrationHome: @unchecked Sendable {
    /// The context of registrations without rare settings.
    let context: RegistrationContext

    init() {
        context = RegistrationContext()
        context.adopt(self)
    }

    /// Removes an ended registration whose handler another thread is about to release.
    func forget(_ registration: Registration) {}

    /// Removes an ended registration.
    func remove(_ registration: Registration) {
        preconditionFailure("A home says how registrations leave it.")
    }

    /// Removes a registration that ended with its only message, which waits in its queue.
    func removeBeforeOnlyCall(_ registration: Registration) {
        remove(registration)
    }

    /// The target that readers record while they call registrations of this home.
    final var address: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    /// Releases the handler of an ended registration after its last call returns.
    final func release(_ registration: Registration) {
        if Readers.haveLeft(address) {
            registration.releaseClosures()
        } else {
            Readers.afterLeaving(address) { registration.releaseClosures() }
        }
    }
}

/// The home and the rare settings of a registration, which refers to them in one word.
///
/// Registrations without rare settings share the context of their home.
///
/// Invariant: `home` is set once, before any other object refers to this one, and any thread may
/// read a weak reference. The filter is replaced once, by nil, after `Readers` has seen every
/// reader leave that may have found the registration active; only readers, and the creator of the
/// registration, read it. Everything else is constant.
final class RegistrationContext: @unchecked Sendable {
    private(set) weak var home: RegistrationHome?
    /// A condition on each value, checked before the call: on the main actor if the handler runs
    /// there and has no limited buffer, otherwise on the sender's thread.
    private(set) var filter: (@Sendable (Incoming) -> Bool)?
    let subject: SubjectFilter?
    /// Called once, by the thread that ends the observation.
    let didEnd: (@Sendable () -> Void)?
    /// The calls that wait for the main actor, if the handler runs there.
    let mainBuffer: MainActorBuffer?
    /// The live messages that wait behind a replay.
    let gate: ReplayGate<GatedCall>?

    /// Creates the context that a home shares; the home must adopt it at once.
    init() {
        (filter, subject, didEnd, mainBuffer, gate) = (nil, nil, nil, nil, nil)
    }

    /// Creates the context of one registration.
    init(_ settings: borrowing RegistrationSettings) {
        home = settings.home
        filter = settings.filter
        subject = settings.subject
        didEnd = settings.didEnd
        mainBuffer = settings.mainBuffer
        gate = settings.gate
    }

    func adopt(_ home: RegistrationHome) {
        self.home = home
    }

    /// Releases the filter and what it captured; only after its last reader has left.
    func releaseFilter() {
        // The context that a home shares has no filter, and other threads read it meanwhile.
        guard let released = filter else { return }
        filter = nil
        // Released here, after the write: it may run any deinit.
        withExtendedLifetime(released) {}
    }
}
