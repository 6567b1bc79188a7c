// SPDX-License-Identifier: Apache-2.0

/// Everything in one center that goes by one name.
struct NameGroup: Sendable {
    /// A type that has the name, with those who observe it.
    struct Form: Sendable {
        let type: any NamedMessage.Type
        let channel: Channel
    }

    /// Those who observe the name itself; nil if nobody ever did.
    private(set) var channel: Channel?
    private(set) var forms: [Form] = []
    /// How many are about to observe the name.
    var guests = 0

    /// Whether nothing would be lost with it.
    var isIdle: Bool { forms.isEmpty && guests == 0 && channel?.isEmpty != false }

    /// Adds those who observe the name itself.
    mutating func add(_ channel: Channel) {
        share(with: channel)
        self.channel = channel
    }

    /// Adds a type.
    mutating func add(_ form: Form) {
        share(with: form.channel)
        forms.append(form)
    }

    /// A post to a channel of the group takes a slow-path reason once there are others beside it.
    private func share(with new: Channel) {
        let others = forms.map(\.channel) + (channel.map { [$0] } ?? [])
        if others.count == 1 { others[0].add(.full(1)) }
        if !others.isEmpty { new.add(.full(1)) }
    }
}
