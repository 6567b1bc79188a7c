// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Whether a message sent through `channel` may have recipients in other channels.
    func mayHaveForms(_ channel: Channel) -> Bool {
        !wildcards.isEmpty || channel.name != nil || channel === untyped
    }

    /// Finds the recipients that do not observe a message's type, and makes the forms for them.
    ///
    /// This method calls the user's conversions, and therefore never runs under a lock.
    func addForms<M: Message>(to delivery: inout Delivery<M>, by channel: Channel) {
        if !wildcards.isEmpty {
            delivery.add(delivery.message as any Message, for: wildcards)
        }
        guard let message = untyped(delivery.message, by: channel) else { return }
        guard let group = registry.withLock({ $0.names[message.name] }) else { return }
        if let observers = group.channel { delivery.add(message, for: observers) }
        for form in group.forms where form.channel !== channel && !form.channel.isEmpty {
            add(form.type, of: message, to: &delivery, for: form.channel)
        }
    }

    /// Returns a message that has a name, in the form for the observers of the name.
    private func untyped<M: Message>(_ message: M, by channel: Channel) -> UntypedMessage? {
        if channel === untyped { return message as? UntypedMessage }
        guard let name = channel.name, let named = message as? any NamedMessage else { return nil }
        return UntypedMessage(name: name, object: named.object)
    }

    /// Adds the form of a message for the observers of another type with the same name.
    private func add<M: Message, Form: NamedMessage>(
        _ type: Form.Type,
        of message: UntypedMessage,
        to delivery: inout Delivery<M>,
        for channel: Channel
    ) {
        let recipients = channel.snapshot()
        guard delivery.count(recipients) > 0 else { return }
        if let form = Form(object: message.object) {
            delivery.append(TypedForm(input: form, channel: channel, recipients: recipients))
        } else {
            let text = """
                The object posted as "\(message.name)" cannot be converted to \(Form.self), so \
                observers of that type did not receive it. Post an object that \(Form.self) accepts.
                """
            let error = TidingsError(.notConvertible, text, at: delivery.source)
            var first: Registration?
            recipients.visit { if first == nil, $0.isFor(delivery.about) { first = $0 } }
            if let first { note(error, of: first, delivery.context) }
        }
    }
}

extension Delivery {
    fileprivate mutating func add<Input: Sendable>(_ input: Input, for channel: Channel) {
        let recipients = channel.snapshot()
        guard recipients.extent.alive > 0 else { return }
        append(TypedForm(input: input, channel: channel, recipients: recipients))
    }

    mutating func append(_ form: any DeliveryForm) {
        forms = (forms.take() ?? []) + [form]
    }
}
