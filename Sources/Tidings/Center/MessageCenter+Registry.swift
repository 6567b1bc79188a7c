// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// The channels of a center: one per message type, found by the type's identity.
    struct Registry: Sendable {
        private(set) var channels: [ObjectIdentifier: Channel]
        var names = NameTable()
        var conformances = ConformanceTable()
        /// Reasons for which no post of this center is direct.
        private var slowPathReasons = SlowPathReasons.none
        /// Whether channels that are made now are finished from the start.
        private var isFinished = false

        /// - Parameter untyped: Those who observe ``UntypedMessage``.
        init(untyped: Channel) {
            // Those who observe the name receive such a message as well.
            untyped.add(.full(1))
            channels = [ObjectIdentifier(UntypedMessage.self): untyped]
        }

        /// The channel of a type, made if there was none.
        mutating func channel(of type: ObjectIdentifier, form: NamedForm?) -> Channel {
            if let channel = channels[type] { return channel }
            let channel = Channel(name: form?.name, isFinished: isFinished)
            channel.add(slowPathReasons)
            channels[type] = channel
            if let form { names.add(.init(type: form.type, channel: channel), named: form.name) }
            return channel
        }

        /// The channel of a name, made if there was none; it is kept until `names.leave`.
        mutating func enter(_ name: String) -> Channel {
            let (slowPathReasons, isFinished) = (slowPathReasons, isFinished)
            return names.enter(name) {
                let channel = Channel(name: name, isFinished: isFinished)
                channel.add(slowPathReasons)
                return channel
            }
        }

        /// The channel of a conformance, made if there was none; it is kept until `leave`.
        mutating func enter(
            _ conformance: any MessageConformance,
            idle: inout [ConformanceTable.Group]
        ) -> Channel {
            let isFinished = isFinished
            return conformances.enter(conformance, idle: &idle) {
                Channel(name: nil, isFinished: isFinished)
            }
        }

        /// All channels of observers.
        var all: [Channel] {
            Array(channels.values) + names.channels + conformances.channels
        }

        /// Makes finished channels from now on; returns those that are to be finished.
        mutating func finish() -> [Channel] {
            isFinished = true
            return all
        }

        /// Adds or takes back reasons for which posts do more than calling handlers.
        mutating func add(_ change: SlowPathReasons) {
            slowPathReasons += change
            for channel in channels.values { channel.add(change) }
            for channel in names.channels { channel.add(change) }
        }
    }
}
