// SPDX-License-Identifier: Apache-2.0

/// A registration that answers requests.
///
/// Invariant: constant properties only.
final class ResponderRegistration<R: Request>: Registration, @unchecked Sendable {
    private weak let owner: (any AnyObject & Sendable)?
    private let desk: ResponderDesk<R>

    init(
        _ terms: RegistrationTerms,
        owner: (any AnyObject & Sendable)?,
        _ responder: @escaping Responder<R>
    ) {
        self.owner = owner
        desk = ResponderDesk(responder)
        super.init(terms, traits: owner == nil ? [] : .owned)
    }

    override var isOrphan: Bool { traits.contains(.owned) && owner == nil || super.isOrphan }

    override func isOwned(by object: AnyObject) -> Bool { owner === object }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        let source = source
        let hasBegun = input.read { (inquiry: borrowing Inquiry<R>) in
            desk.begin(copy inquiry) { TidingsError.responderEnded("\(R.self)", at: source) }
        }
        return hasBegun ? .called : .orphan
    }

    override var inputName: MessageName { .type(R.self) }

    override var place: ObservationKind.Place { .responder }

    override func cancel() {
        super.cancel()
        desk.close()
    }

    override func releaseHandler() { desk.retire() }
}
