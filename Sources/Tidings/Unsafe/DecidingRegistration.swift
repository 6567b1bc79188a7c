// SPDX-License-Identifier: Apache-2.0

/// A registration whose handler says whether the delivery goes on, with or without an owner.
///
/// Invariant: the closure is replaced once, by nil, after `Readers` has seen every reader leave
/// that may have found the registration active; it is read only by readers that have.
final class DecidingRegistration<Input: Sendable>: Registration, @unchecked Sendable {
    private weak let owner: (any AnyObject & Sendable)?
    private var handler: (@Sendable (Input) throws -> DeliveryDecision)?

    init(
        _ terms: RegistrationTerms,
        _ handler: @escaping @Sendable (Input) throws -> DeliveryDecision
    ) {
        owner = nil
        self.handler = handler
        super.init(terms, traits: [])
    }

    init<Owner: AnyObject & Sendable>(
        _ terms: RegistrationTerms,
        _ owner: Owner,
        _ handler: @escaping @Sendable (Owner, Input) throws -> DeliveryDecision
    ) {
        self.owner = owner
        self.handler = { [weak owner] input in
            // `call` keeps it alive.
            try owner.map { try handler($0, input) } ?? .proceed
        }
        super.init(terms, traits: .owned)
    }

    override var isOrphan: Bool { traits.contains(.owned) && owner == nil || super.isOrphan }

    override func isOwned(by object: AnyObject) -> Bool { owner === object }

    override func call(_ input: Incoming) throws -> CallOutcome {
        let owner = owner
        if traits.contains(.owned), owner == nil { return .orphan }
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        guard let handler else { return .called }
        let decision = try withExtendedLifetime(owner) { try input.read(handler) }
        return decision == .stop ? .calledAsLast : .called
    }

    override var inputName: MessageName { .type(Input.self) }

    override func releaseHandler() { handler = nil }
}
