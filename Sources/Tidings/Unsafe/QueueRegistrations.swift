// SPDX-License-Identifier: Apache-2.0

/// A registration whose messages wait in a sequence's buffer.
///
/// Invariant: constant properties only, and the buffer was made for the type that the registration
/// is filed under.
final class SequenceRegistration: Registration, @unchecked Sendable {
    private let buffer: ObservationBuffer

    init(_ terms: RegistrationTerms, _ buffer: ObservationBuffer) {
        self.buffer = buffer
        super.init(terms, traits: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        buffer.push(input)
        return .queued
    }

    override func call(_ input: Incoming, _ slip: DeliverySlip) throws -> CallOutcome {
        let isWanted = slip.places?.isWanted(by: self)
        if !isPlainlyActive, let refusal = admits(input, isWanted: isWanted) { return refusal }
        buffer.push(input, hasPlace: slip.places?.take(self) ?? false)
        return .queued
    }

    override var queue: (any ObservationQueue)? { buffer }

    override func whenDrained(_ action: @escaping @Sendable () -> Void) {
        buffer.whenDrained(action)
    }

    override var inputName: MessageName { buffer.layout.name }

    override var place: ObservationKind.Place { .reader }

    override func releaseHandler() { buffer.close() }
}

/// A registration whose messages wait in a mailbox.
///
/// Invariant: constant properties only.
final class MailboxRegistration<Input: Sendable>: Registration, @unchecked Sendable {
    private weak let owner: (any AnyObject & Sendable)?
    private let mailbox: Mailbox<Input>

    init(_ terms: RegistrationTerms, _ mailbox: Mailbox<Input>) {
        self.mailbox = mailbox
        owner = nil
        super.init(terms, traits: [])
    }

    init(_ terms: RegistrationTerms, _ owner: any AnyObject & Sendable, _ mailbox: Mailbox<Input>) {
        self.mailbox = mailbox
        self.owner = owner
        super.init(terms, traits: .owned)
    }

    override var isOrphan: Bool { traits.contains(.owned) && owner == nil || super.isOrphan }

    override func isOwned(by object: AnyObject) -> Bool { owner === object }

    override func call(_ input: Incoming) throws -> CallOutcome {
        try call(input, DeliverySlip(mayTellErrors: mailbox.mayTellErrors))
    }

    override func call(_ input: Incoming, _ slip: DeliverySlip) throws -> CallOutcome {
        if traits.contains(.owned), owner == nil { return .orphan }
        let isWanted = slip.places?.isWanted(by: self)
        if !isPlainlyActive, let refusal = admits(input, isWanted: isWanted) { return refusal }
        let hasPlace = slip.places?.take(self) ?? false
        let tally = slip.tally.flatMap { $0.enter(mailbox.number) ? $0 : nil }
        input.read { (message: borrowing Input) in
            let entry = Mailbox<Input>.Entry(
                input: copy message,
                registration: self,
                tally: tally,
                receipt: slip.receipt,
                mayTellErrors: slip.mayTellErrors
            )
            mailbox.push(entry, hasPlace: hasPlace)
        }
        return .queued
    }

    override var queue: (any ObservationQueue)? { mailbox }

    override var runningCalls: [MailboxCall] { mailbox.calls }

    override func whenDrained(_ action: @escaping @Sendable () -> Void) {
        mailbox.whenDrained(action)
    }

    override var inputName: MessageName { .type(Input.self) }

    override var place: ObservationKind.Place { .task }

    override func cancel() {
        super.cancel()
        // Also after a first call that was to be the only one: that call may be waiting.
        mailbox.discard()
    }

    override func releaseHandler() { mailbox.close() }
}
