// SPDX-License-Identifier: Apache-2.0

/// The channels of one name in a center: of the name itself and of the types that have it.
struct NameGroup: Sendable {
    /// A type that has the name, with the channel of its observers.
    struct Form: Sendable {
        let type: any NamedMessage.Type
        let channel: Channel
    }

    /// The channel of the name itself; nil if the name was never observed.
    private(set) var channel: Channel?
    private(set) var forms: [Form] = []
    /// The number of callers that are about to observe the name.
    var guests = 0

    /// Whether removing the group loses nothing.
    var isIdle: Bool { forms.isEmpty && guests == 0 && channel?.isEmpty != false }

    /// Adds the channel of the name itself.
    mutating func add(_ channel: Channel) {
        share(with: channel)
        self.channel = channel
    }

    /// Adds a type.
    mutating func add(_ form: Form) {
        share(with: form.channel)
        forms.append(form)
    }

    /// Adds a slow-path reason to each channel once the group has more than one.
    private func share(with new: Channel) {
        let others = forms.map(\.channel) + (channel.map { [$0] } ?? [])
        if others.count == 1 { others[0].add(.full(1)) }
        if !others.isEmpty { new.add(.full(1)) }
    }
}
