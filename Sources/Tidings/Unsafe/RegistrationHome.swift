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

/// What a registration refers to in one word: its home, and what only few registrations have.
///
/// Registrations that have nothing of the kind share the context of their home. Unchecked: `home`
/// is
/// set once, before anybody else knows this object, and any thread may read a weak reference.
final class RegistrationContext: @unchecked Sendable {
    private(set) weak var home: RegistrationHome?
    let extras: RegistrationExtras?

    /// The context that a home shares out; it must adopt it at once.
    fileprivate init() {
        extras = nil
    }

    /// The context of one registration.
    init(_ home: RegistrationHome, _ extras: RegistrationExtras) {
        self.home = home
        self.extras = extras
    }

    fileprivate func adopt(_ home: RegistrationHome) {
        self.home = home
    }
}
