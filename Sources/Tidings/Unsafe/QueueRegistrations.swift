// SPDX-License-Identifier: Apache-2.0

/// A registration whose messages wait in a sequence's buffer.
///
/// Invariant: all properties are constant, and the buffer was made for the type under which the
/// registration is filed.
final class SequenceRegistration: Registration, @unchecked Sendable {
    private let buffer: ObservationBuffer

    init(_ settings: borrowing RegistrationSettings, _ buffer: ObservationBuffer) {
        self.buffer = buffer
        super.init(settings, flags: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        buffer.push(input)
        return .queued
    }

    override func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        let isWanted = context.isWanted(by: self)
        if !isPlainlyActive, let refusal = admits(input, isWanted: isWanted) { return refusal }
        buffer.push(input, hasPlace: context.places?.take(self) ?? false)
        return .queued
    }

    override var queue: (any ObservationQueue)? { buffer }

    override func whenDrained(_ action: @escaping @Sendable () -> Void) {
        buffer.whenDrained(action)
    }

    override var inputName: MessageName { buffer.layout.name }

    override var place: HandlerPlace { .reader }

    override func releaseHandler() { buffer.close() }
}

/// A registration whose messages wait in a mailbox.
///
/// Invariant: all properties are constant.
final class MailboxRegistration<Input: Sendable>: Registration, @unchecked Sendable {
    private weak let owner: (any AnyObject & Sendable)?
    private let mailbox: Mailbox<Input>

    init(_ settings: borrowing RegistrationSettings, _ mailbox: Mailbox<Input>) {
        self.mailbox = mailbox
        owner = nil
        super.init(settings, flags: [])
    }

    init(
        _ settings: borrowing RegistrationSettings,
        _ owner: any AnyObject & Sendable,
        _ mailbox: Mailbox<Input>
    ) {
        self.mailbox = mailbox
        self.owner = owner
        super.init(settings, flags: .owned)
    }

    override var isExpired: Bool { flags.contains(.owned) && owner == nil || super.isExpired }

    override func isOwned(by object: AnyObject) -> Bool { owner === object }

    override func call(_ input: Incoming) throws -> CallOutcome {
        try call(input, DeliveryContext(reportsErrors: mailbox.reportsErrors))
    }

    override func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        if flags.contains(.owned), owner == nil { return .expired }
        let isWanted = context.isWanted(by: self)
        if !isPlainlyActive, let refusal = admits(input, isWanted: isWanted) { return refusal }
        let hasPlace = context.places?.take(self) ?? false
        let group = context.group.flatMap { $0.enter(mailbox.number) ? $0 : nil }
        input.read { (message: borrowing Input) in
            let entry = Mailbox<Input>.Entry(
                input: copy message,
                registration: self,
                group: group,
                acknowledgment: context.acknowledgment,
                reportsErrors: context.reportsErrors
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

    override var place: HandlerPlace { .task }

    override func cancel() {
        super.cancel()
        // The mailbox is discarded even if the only call of an observation has already ended the
        // observation, because this call may be pending.
        mailbox.discard()
    }

    override func releaseHandler() { mailbox.close() }
}
