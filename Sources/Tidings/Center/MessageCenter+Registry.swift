// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// The channels of a center, one per message type, found by the type's identity.
    struct Registry: Sendable {
        private(set) var channels: [ObjectIdentifier: Channel]
        var names = NameTable()
        var conformances = ConformanceTable()
        /// Reasons for which no post of this center is direct.
        private var slowPathReasons = SlowPathReasons.none
        /// Whether channels that are made now start out finished.
        private var isFinished = false

        /// - Parameter untyped: The channel for observers of ``UntypedMessage``.
        init(untyped: Channel) {
            // An untyped message also goes to the observers of its name.
            untyped.add(.full(1))
            channels = [ObjectIdentifier(UntypedMessage.self): untyped]
        }

        /// Returns the channel of a type, creating the channel if needed.
        mutating func channel(of type: ObjectIdentifier, form: NamedForm?) -> Channel {
            if let channel = channels[type] { return channel }
            let channel = Channel(name: form?.name, isFinished: isFinished)
            channel.add(slowPathReasons)
            channels[type] = channel
            if let form { names.add(.init(type: form.type, channel: channel), named: form.name) }
            return channel
        }

        /// Returns the channel of a name, creating the channel if needed.
        ///
        /// The channel is kept until `names.leave`.
        mutating func enter(_ name: String) -> Channel {
            let (slowPathReasons, isFinished) = (slowPathReasons, isFinished)
            return names.enter(name) {
                let channel = Channel(name: name, isFinished: isFinished)
                channel.add(slowPathReasons)
                return channel
            }
        }

        /// Returns the channel of a conformance, creating the channel if needed.
        ///
        /// The channel is kept until `leave`.
        mutating func enter(
            _ conformance: any MessageConformance,
            idle: inout [ConformanceTable.Group]
        ) -> Channel {
            let isFinished = isFinished
            return conformances.enter(conformance, idle: &idle) {
                Channel(name: nil, isFinished: isFinished)
            }
        }

        /// All channels with observers.
        var all: [Channel] {
            Array(channels.values) + names.channels + conformances.channels
        }

        /// Makes every later channel finished and returns the channels for the caller to finish.
        mutating func finish() -> [Channel] {
            isFinished = true
            return all
        }

        /// Adds or removes reasons for which posts take the slow path.
        mutating func add(_ change: SlowPathReasons) {
            slowPathReasons += change
            for channel in channels.values { channel.add(change) }
            for channel in names.channels { channel.add(change) }
        }
    }
}
