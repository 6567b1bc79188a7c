// SPDX-License-Identifier: Apache-2.0

/// A message as those receive it who do not observe its type.
protocol DeliveryForm: Sendable {
    /// Where they are registered.
    var channel: Channel { get }
    /// Those of them who were registered when it was posted.
    var recipients: RosterSnapshot { get }

    /// Calls one of them here, or queues the call.
    func deliver(
        to registration: Registration,
        by turn: inout MainTurn,
        _ slip: DeliverySlip,
        late: () -> LateCall
    ) throws -> CallOutcome
}

/// A form whose type is known.
struct TypedForm<Input: Sendable>: DeliveryForm {
    let input: Input
    let channel: Channel
    let recipients: RosterSnapshot

    func deliver(
        to registration: Registration,
        by turn: inout MainTurn,
        _ slip: DeliverySlip,
        late: () -> LateCall
    ) throws -> CallOutcome {
        try turn.deliver(input, to: registration, slip, late: late)
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
        late: () -> LateCall
    ) throws -> CallOutcome {
        if !forms.isEmpty {
            let home = registration.currentHome
            if let form = forms.first(where: { $0.channel === home }) {
                return try form.deliver(to: registration, by: &turn, slip, late: late)
            }
        }
        return try turn.deliver(message, to: registration, slip, late: late)
    }

    /// Its recipients of every form in one order, given those of its own type.
    func allRecipients(with recipients: RosterSnapshot) -> RosterSnapshot {
        forms.reduce(recipients) { $0.merged(with: $1.recipients) }
    }
}

extension RosterSnapshot {
    /// Both in one order.
    func merged(with other: RosterSnapshot) -> RosterSnapshot {
        var (mine, others) = (registrations[...], other.registrations[...])
        let buffer = RosterBuffer(capacity: mine.count + others.count)
        while let next = mine.first ?? others.first {
            if let other = others.first, other.rank <= next.rank {
                buffer.append(other)
                others.removeFirst()
            } else {
                buffer.append(next)
                mine.removeFirst()
            }
        }
        return RosterSnapshot(buffer: buffer, extent: buffer.extent)
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
    func reading(_ channel: Channel, and forms: ArraySlice<any DeliveryForm>, _ body: () -> Void) {
        reading(channel) {
            guard let form = forms.first else { return body() }
            reading(form.channel, and: forms.dropFirst(), body)
        }
    }
}
