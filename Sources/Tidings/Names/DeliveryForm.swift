// SPDX-License-Identifier: Apache-2.0

/// A message in the form for recipients that do not observe the message type.
protocol DeliveryForm: Sendable {
    /// The channel where the recipients are registered.
    var channel: Channel { get }
    /// The recipients that were registered when the message was posted.
    var recipients: SubscriberSnapshot { get }

    /// Calls one recipient here, or queues the call.
    func deliver(
        to registration: Registration,
        by turn: inout MainTurn,
        _ context: DeliveryContext,
        late: () -> DeferredCall
    ) throws -> CallOutcome
}

/// A form with a known type.
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
    /// The name of the message, which is the type, or the name of an untyped message.
    var name: MessageName {
        if M.self == UntypedMessage.self, let message = message as? UntypedMessage {
            return .text(message.name)
        }
        return .type(M.self)
    }

    /// Calls a registration here, or queues the call, with the message in the registration's form.
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

    /// Adds the recipients of all further forms, in one order.
    func addRecipients(to recipients: inout SubscriberSnapshot) {
        guard let forms else { return }
        for form in forms { recipients = recipients.merged(with: form.recipients) }
    }
}

extension [any DeliveryForm] {
    /// Returns the form that a registration receives, or nil if the message is passed unchanged.
    func taken(by registration: Registration) -> (any DeliveryForm)? {
        let home = registration.currentHome
        return first { $0.channel === home }
    }
}

extension SubscriberSnapshot {
    /// Returns the registrations of both snapshots in one order.
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
    /// Runs `body` as a reading of a channel and of the channels of some forms.
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

/// A message type that has a name.
struct NamedForm: Sendable {
    let type: any NamedMessage.Type
    let name: String

    /// Creates the form of a type, or fails if the type has no name.
    ///
    /// The initialiser reads the name with the user's code, and therefore never runs under a lock.
    init?(_ type: any Message.Type) {
        guard let type = type as? any NamedMessage.Type else { return nil }
        self.type = type
        name = type.name
    }
}

extension Registration {
    /// Returns the name of the input, which is the observed name or the name of a type.
    func name<Input: Sendable>(of type: Input.Type) -> MessageName {
        if type == UntypedMessage.self, let name = (currentHome as? Channel)?.name {
            return .text(name)
        }
        if type == Interception.self { return .text("messages to intercept") }
        return type == (any Message).self ? .text("every message") : .type(type)
    }
}
