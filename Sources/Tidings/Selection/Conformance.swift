// SPDX-License-Identifier: Apache-2.0

/// A conversion of messages to values of another type, such as a protocol.
protocol MessageConformance: AnyObject, Sendable {
    /// Adds the form of a message that observers in `channel` receive, if the message converts.
    ///
    /// Never call this method under a lock, because the user's conversion is called.
    func addForm<M: Message>(to delivery: inout Delivery<M>, for channel: Channel)
}

/// A conversion with a known type.
final class Conformance<Element: Sendable>: MessageConformance {
    let convert: @Sendable (any Message) -> Element?

    init(_ convert: @escaping @Sendable (any Message) -> Element?) {
        self.convert = convert
    }

    func addForm<M: Message>(to delivery: inout Delivery<M>, for channel: Channel) {
        let recipients = channel.snapshot()
        guard recipients.extent.alive > 0, let element = convert(delivery.message) else { return }
        delivery.append(TypedForm(input: element, channel: channel, recipients: recipients))
    }
}

/// The observers of each conformance of one center, as a value.
struct ConformanceTable: Sendable {
    /// A conformance and its observers.
    struct Group: Sendable {
        let conformance: any MessageConformance
        let channel: Channel
        /// The number of registrations that are being added.
        var guests = 0
    }

    private var groups: [ObjectIdentifier: Group] = [:]

    var all: [Group] { Array(groups.values) }

    var channels: [Channel] { groups.values.map(\.channel) }

    /// Returns the channel of a conformance, or makes a new one, and keeps the channel until
    /// `leave`.
    ///
    /// - Parameters:
    ///   - conformance: The conformance.
    ///   - idle: The groups without observers, to be released outside the lock.
    ///   - make: Makes a channel.
    /// - Returns: The channel.
    mutating func enter(
        _ conformance: any MessageConformance,
        idle: inout [Group],
        _ make: () -> Channel
    ) -> Channel {
        let id = ObjectIdentifier(conformance)
        var group = groups[id] ?? Group(conformance: conformance, channel: make())
        group.guests += 1
        groups[id] = group
        for (id, group) in groups where group.guests == 0 && group.channel.isEmpty {
            idle.append(group)
            groups[id] = nil
        }
        return group.channel
    }

    mutating func leave(_ conformance: any MessageConformance) {
        groups[ObjectIdentifier(conformance)]?.guests -= 1
    }
}
