// SPDX-License-Identifier: Apache-2.0

/// The names of one center.
///
/// Names can be made at run time, so the table removes names that no longer have observers; the
/// channels of types stay.
struct NameTable: Sendable {
    private var groups: [String: NameGroup] = [:]
    /// The channel of each name, found without counting a reference.
    private var borrowed: [String: BorrowedChannel] = [:]
    /// The number of names that the table may hold before it removes idle ones.
    private var limit = Self.least

    private static var least: Int { 64 }

    subscript(name: String) -> NameGroup? { groups[name] }

    /// Returns the channel of a name, for a thread that reads the center.
    func borrow(_ name: String) -> BorrowedChannel? { borrowed[name] }

    /// The channels of the names themselves.
    var channels: [Channel] { groups.values.compactMap(\.channel) }

    var count: Int { groups.count }

    var isCrowded: Bool { groups.count > limit }

    /// Adds a type of message under its name.
    mutating func add(_ form: NameGroup.Form, named name: String) {
        groups[name, default: NameGroup()].add(form)
    }

    /// Returns the channel of a name, made if there is none; it is kept until `leave`.
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

    /// Ends the use that `enter` began.
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
