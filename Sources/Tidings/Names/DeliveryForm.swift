// SPDX-License-Identifier: Apache-2.0

/// A message as those receive it who do not observe its type.
protocol DeliveryForm: Sendable {
    /// Where they are registered.
    var channel: Channel { get }
    /// Those of them who were registered when it was posted.
    var recipients: SubscriberSnapshot { get }

    /// Calls one of them here, or queues the call.
    func deliver(
        to registration: Registration,
        by turn: inout MainTurn,
        _ context: DeliveryContext,
        late: () -> DeferredCall
    ) throws -> CallOutcome
}

/// A form whose type is known.
struct TypedForm<Input: Sendable>: DeliveryForm {
    let input: Input
    let channel: Channel
    let recipients: SubscriberSnapshot

    func deliver(
        to registration: Registration,
        by turn: inout MainTurn,
        _ context: DeliveryContext,
        late: () -> DeferredCall
    ) throws -> CallOutcome {
        try turn.deliver(input, to: registration, context, late: late)
    }
}

extension Delivery {
    /// What the message goes by.
    var name: MessageName {
        if M.self == UntypedMessage.self, let message = message as? UntypedMessage {
            return .text(message.name)
        }
        return .type(M.self)
    }

    /// Calls a registration here, or queues the call, with the message in the form that it takes.
    func hand(
        to registration: Registration,
        by turn: inout MainTurn,
        late: () -> DeferredCall
    ) throws -> CallOutcome {
        if let form = forms.flatMap({ $0.taken(by: registration) }) {
            return try form.deliver(to: registration, by: &turn, context, late: late)
        }
        return try turn.deliver(message, to: registration, context, late: late)
    }

    /// Adds the recipients of its other forms, all in one order.
    func addRecipients(to recipients: inout SubscriberSnapshot) {
        guard let forms else { return }
        for form in forms { recipients = recipients.merged(with: form.recipients) }
    }
}

extension [any DeliveryForm] {
    /// The form that a registration takes; nil for the message's own.
    func taken(by registration: Registration) -> (any DeliveryForm)? {
        let home = registration.currentHome
        return first { $0.channel === home }
    }
}

extension SubscriberSnapshot {
    /// Both in one order.
    func merged(with other: SubscriberSnapshot) -> SubscriberSnapshot {
        if extent.alive == 0 { return other }
        if other.extent.alive == 0 { return self }
        var (mine, others) = (registrations[...], other.registrations[...])
        let buffer = SubscriberBuffer(capacity: mine.count + others.count)
        while let next = mine.first ?? others.first {
            if let other = others.first, other.rank <= next.rank {
                buffer.append(other)
                others.removeFirst()
            } else {
                buffer.append(next)
                mine.removeFirst()
            }
        }
        return SubscriberSnapshot(buffer: buffer, extent: buffer.extent)
    }

    private var registrations: [Registration] {
        var registrations: [Registration] = []
        registrations.reserveCapacity(extent.alive)
        visit { registrations.append($0) }
        return registrations
    }
}

extension DeliveryThread {
    /// Runs `body` as a reading of a channel and of those of some forms.
    @inline(__always)
    func reading(_ channel: Channel, and forms: [any DeliveryForm]?, _ body: () -> Void) {
        reading(channel) {
            if let forms { reading(forms[...], body) } else { body() }
        }
    }

    private func reading(_ forms: ArraySlice<any DeliveryForm>, _ body: () -> Void) {
        guard let form = forms.first else { return body() }
        reading(form.channel) { reading(forms.dropFirst(), body) }
    }
}
