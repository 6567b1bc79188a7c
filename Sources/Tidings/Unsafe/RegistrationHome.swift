// SPDX-License-Identifier: Apache-2.0

/// An object that keeps registrations and removes each registration that has ended.
///
/// The home is a class, so that each of a million references to a home takes one word. Invariant:
/// the stored property is constant. The compiler does not check that for a class with subclasses.
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

    /// Removes a registration that ended with its only message, which waits in a queue.
    func removeBeforeOnlyCall(_ registration: Registration) {
        remove(registration)
    }

    /// The target that readers record while they call registrations of this home.
    final var address: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    /// Releases the handler of an ended registration after the last call returns.
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
/// Registrations without rare settings share the context of the home.
///
/// Invariant: `home` is set once, before any other object refers to the context, and any thread may
/// read a weak reference. The filter is replaced once, by nil, after `Readers` has seen every
/// reader leave that may have found the registration active. Only readers and the creator of the
/// registration read the filter. All remaining properties are constant.
final class RegistrationContext: @unchecked Sendable {
    private(set) weak var home: RegistrationHome?
    /// A condition on each value, checked before the call.
    ///
    /// The check runs on the main actor if the handler runs there and has no limited buffer,
    /// otherwise on the sender's thread.
    private(set) var filter: (@Sendable (Incoming) -> Bool)?
    let subject: SubjectCondition?
    /// Called once, by the thread that ends the observation.
    let didEnd: (@Sendable () -> Void)?
    /// The calls that wait for the main actor, if the handler runs there.
    let mainBuffer: MainActorBuffer?
    /// The live messages that wait behind a replay.
    let gate: ReplayGate<GatedCall>?

    /// Creates the context that a home shares.
    ///
    /// The home must adopt the context immediately.
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

    /// Releases the filter and all captures, after the last reader of the filter has left.
    func releaseFilter() {
        // The context that a home shares has no filter, and other threads may be reading it.
        guard let released = filter else { return }
        filter = nil
        // The filter is released here, after the write, because this may run any deinit.
        withExtendedLifetime(released) {}
    }
}
