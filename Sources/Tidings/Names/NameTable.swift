// SPDX-License-Identifier: Apache-2.0

/// The names of one center.
///
/// Names can be made at run time, so the table removes names that no longer have observers. The
/// channels of types stay.
struct NameTable: Sendable {
    private var groups: [String: NameGroup] = [:]
    /// The channel of each name, found without counting a reference.
    private var borrowed: [String: BorrowedChannel] = [:]
    /// The number of names that the table may hold before idle names are removed.
    private var limit = Self.least

    private static var least: Int { 64 }

    subscript(name: String) -> NameGroup? { groups[name] }

    /// Returns the channel of a name, for a thread that reads the center.
    func borrow(_ name: String) -> BorrowedChannel? { borrowed[name] }

    /// The channels of the names themselves.
    var channels: [Channel] { groups.values.compactMap(\.channel) }

    var count: Int { groups.count }

    var isCrowded: Bool { groups.count > limit }

    /// Adds a type of message under the type's name.
    mutating func add(_ form: NameGroup.Form, named name: String) {
        groups[name, default: NameGroup()].add(form)
    }

    /// Returns the channel of a name, creating the channel if needed.
    ///
    /// The channel is kept until `leave`.
    mutating func enter(_ name: String, _ make: () -> Channel) -> Channel {
        var group = groups[name] ?? NameGroup()
        let channel = group.channel ?? make()
        if group.channel == nil {
            group.add(channel)
            borrowed[name] = BorrowedChannel(channel)
        }
        group.guests += 1
        groups[name] = group
        return channel
    }

    /// Ends the use that `enter` started.
    mutating func leave(_ name: String) {
        groups[name]?.guests -= 1
    }

    /// Removes the idle names and returns their groups.
    ///
    /// The caller keeps the groups until all current readers of the center have left.
    mutating func removeIdle() -> [NameGroup] {
        let idle = groups.filter(\.value.isIdle)
        for name in idle.keys {
            groups[name] = nil
            borrowed[name] = nil
        }
        limit = max(Self.least, groups.count * 2)
        return Array(idle.values)
    }
}

/// The channels of one name in a center: of the name itself and of the types with this name.
struct NameGroup: Sendable {
    /// A type that has the name, with the channel of its observers.
    struct Form: Sendable {
        let type: any NamedMessage.Type
        let channel: Channel
    }

    /// The channel of the name itself, or nil if the name was never observed.
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

    /// Adds a slow-path reason to each channel once the group has several channels.
    private func share(with new: Channel) {
        let others = forms.map(\.channel) + (channel.map { [$0] } ?? [])
        if others.count == 1 { others[0].add(.full(1)) }
        if !others.isEmpty { new.add(.full(1)) }
    }
}
