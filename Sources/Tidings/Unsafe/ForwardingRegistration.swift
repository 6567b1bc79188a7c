// SPDX-License-Identifier: Apache-2.0

/// A registration that stands in a home for a target registration, which calls the handler.
///
/// Invariant: all properties are constant. Subclasses state their own invariants.
class ForwardingRegistration: Registration, @unchecked Sendable {
    /// The registration that calls the handler.
    let target: Registration

    init(_ settings: borrowing RegistrationSettings, to target: Registration) {
        self.target = target
        super.init(settings, flags: target.flags.intersection(.owned))
    }

    override var isExpired: Bool { target.isExpired || super.isExpired }

    override func isOwned(by object: AnyObject) -> Bool { target.isOwned(by: object) }

    override var inputName: MessageName { target.inputName }

    override var place: HandlerPlace { target.place }

    override var isBlocked: Bool {
        get { super.isBlocked }
        set {
            super.isBlocked = newValue
            target.isBlocked = newValue
        }
    }
}
