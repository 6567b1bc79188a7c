// SPDX-License-Identifier: Apache-2.0

/// Where registrations live; it is told when one has ended.
///
/// A class, so that the million references to it take one word each. Invariant: its stored property
/// is constant; the compiler checks that of no class that has subclasses.
class RegistrationHome: @unchecked Sendable {
    /// What registrations without anything of their own refer to.
    let context: RegistrationContext

    init() {
        context = RegistrationContext()
        context.adopt(self)
    }

    /// Takes an ended registration out, whose handler another thread is about to release.
    func forget(_ registration: Registration) {}

    /// Takes an ended registration out.
    func remove(_ registration: Registration) {
        preconditionFailure("A home says how registrations leave it.")
    }

    /// Removes a registration that ended with its only message, which waits in its queue.
    func removeBeforeOnlyCall(_ registration: Registration) {
        remove(registration)
    }

    /// What readers say they read while they call registrations of this home.
    final var address: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    /// Drops the handler of an ended registration once nobody can be inside it.
    final func release(_ registration: Registration) {
        if Readers.haveLeft(address) {
            registration.releaseClosures()
        } else {
            Readers.afterLeaving(address) { registration.releaseClosures() }
        }
    }
}
