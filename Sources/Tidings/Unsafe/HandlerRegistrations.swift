// SPDX-License-Identifier: Apache-2.0

/// A registration whose observer is a closure.
///
/// Invariant of both classes: the closure is replaced once, by nil, after `Readers` has seen every
/// reader leave that may have found the registration active; it is read only by readers that have.
class ClosureRegistration<Input: Sendable>: Registration, @unchecked Sendable {
    private var handler: (@Sendable (Input) throws -> Void)?

    init(_ terms: RegistrationTerms, _ handler: @escaping @Sendable (Input) throws -> Void) {
        self.handler = handler
        super.init(terms, traits: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        if let handler { try input.read(handler) }
        return .called
    }

    override var inputName: MessageName { name(of: Input.self) }

    override func releaseHandler() { handler = nil }
}

/// A registration whose observer is a closure with an owner that it holds weakly.
final class OwnedRegistration<Input: Sendable, Owner: AnyObject & Sendable>: Registration,
    @unchecked Sendable
{
    private weak let owner: Owner?
    private var handler: (@Sendable (Owner, Input) throws -> Void)?

    init(
        _ terms: RegistrationTerms,
        _ owner: Owner,
        _ handler: @escaping @Sendable (Owner, Input) throws -> Void
    ) {
        self.owner = owner
        self.handler = handler
        super.init(terms, traits: .owned)
    }

    override var isOrphan: Bool { owner == nil || super.isOrphan }

    override func isOwned(by object: AnyObject) -> Bool { owner === object }

    override func call(_ input: Incoming) throws -> CallOutcome {
        guard let owner else { return .orphan }
        // The flag is read after the owner was taken, so nothing stands between it and the call.
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        if let handler { try input.read { try handler(owner, $0) } }
        return .called
    }

    override var inputName: MessageName { name(of: Input.self) }

    override func releaseHandler() { handler = nil }
}
