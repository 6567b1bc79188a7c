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
