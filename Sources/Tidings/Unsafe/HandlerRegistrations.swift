// SPDX-License-Identifier: Apache-2.0

/// A registration whose observer is a closure.
///
/// Invariant: the closure is replaced once, by an empty closure, after `Readers` has seen every
/// reader leave that may have found the registration active. Only readers read the closure. A call
/// therefore need not count a reference to the closure, nor check at run time that no other thread
/// is replacing the closure.
class ClosureRegistration<Input: Sendable>: Registration, @unchecked Sendable {
    @exclusivity(unchecked) private var handler: Callee<Input>

    init(
        _ settings: borrowing RegistrationSettings,
        _ handler: @escaping @Sendable (Input) throws -> Void
    ) {
        unsafe self.handler = Callee(body: handler)
        super.init(settings, flags: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        guard _fastPath(isPlainlyActive) else { return try callIfAdmitted(input) }
        try unsafe handler.call(input)
        return .called
    }

    override func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        if isPlainlyActive { return try call(input) }
        return try callIfAdmitted(input, isWanted: context.isWanted(by: self))
    }

    /// Makes a checked call in a separate function, so that the plain call has nothing to save.
    @inline(never)
    private func callIfAdmitted(
        _ input: Incoming,
        isWanted: Bool? = nil
    ) throws -> CallOutcome {
        if let refusal = admits(input, isWanted: isWanted) { return refusal }
        try unsafe handler.call(input)
        return .called
    }

    override var inputName: MessageName { name(of: Input.self) }

    override func releaseHandler() { unsafe handler = Callee { _ in } }
}

/// A registration whose observer is a closure with a weakly held owner.
///
/// Invariant: the owner is constant. The closure follows the rule of ``ClosureRegistration``.
final class OwnedRegistration<Input: Sendable, Owner: AnyObject & Sendable>: Registration,
    @unchecked Sendable
{
    private weak let owner: Owner?
    private var handler: (@Sendable (Owner, Input) throws -> Void)?

    init(
        _ settings: borrowing RegistrationSettings,
        _ owner: Owner,
        _ handler: @escaping @Sendable (Owner, Input) throws -> Void
    ) {
        self.owner = owner
        self.handler = handler
        super.init(settings, flags: .owned)
    }

    override var isExpired: Bool { owner == nil || super.isExpired }

    override func isOwned(by object: AnyObject) -> Bool { owner === object }

    override func call(_ input: Incoming) throws -> CallOutcome {
        try call(input, isWanted: nil)
    }

    override func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        try call(input, isWanted: context.isWanted(by: self))
    }

    @inline(__always)
    private func call(_ input: Incoming, isWanted: Bool?) throws -> CallOutcome {
        guard let owner else { return .expired }
        // The flag is read after the owner was retained, so nothing comes between the flag and the
        // call.
        if !isPlainlyActive, let refusal = admits(input, isWanted: isWanted) { return refusal }
        if let handler { try input.read { try handler(owner, $0) } }
        return .called
    }

    override var inputName: MessageName { name(of: Input.self) }

    override func releaseHandler() { handler = nil }
}

/// A closure that is called in place.
///
/// The closure cannot be copied, so a call counts no reference.
private struct Callee<Input>: ~Copyable {
    let body: @Sendable (Input) throws -> Void

    @inline(__always)
    borrowing func call(_ input: Incoming) throws {
        try input.read(body)
    }
}

// A main-actor handler is kept as a plain closure, because a call through
// `MainActor.assumeIsolated` would allocate a closure context each time.

extension ClosureRegistration {
    /// Creates a registration for a closure that runs on the main actor.
    convenience init(
        _ settings: borrowing RegistrationSettings,
        main handler: @escaping @MainActor @Sendable (Input) throws -> Void
    ) {
        // Invariant: a synchronous function that is bound to an actor is called like any other
        // function, and a registration for the main actor is only called where ``MainActorCheck``
        // returns true.
        let plain = unsafe unsafeBitCast(
            handler,
            to: (@Sendable (Input) throws -> Void).self
        )
        self.init(settings, plain)
    }
}

extension OwnedRegistration {
    /// Creates a registration for a closure that runs on the main actor, with an owner.
    convenience init(
        _ settings: borrowing RegistrationSettings,
        _ owner: Owner,
        main handler: @escaping @MainActor @Sendable (Owner, Input) throws -> Void
    ) {
        // Invariant: the same as for the closure above, with the owner as an additional first
        // parameter on both sides.
        let plain = unsafe unsafeBitCast(
            handler,
            to: (@Sendable (Owner, Input) throws -> Void).self
        )
        self.init(settings, owner, plain)
    }
}

/// A registration whose observer is a hook of a center.
///
/// Unchecked because the superclass is unchecked. This class adds no property.
final class HookRegistration<Input: Sendable>: ClosureRegistration<Input>, @unchecked Sendable {
    override var place: HandlerPlace { .watcher }
}
