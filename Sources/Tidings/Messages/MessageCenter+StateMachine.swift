// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// The channels of a center: one per message type, found by the type's identity.
    struct Registry: Sendable {
        private(set) var channels: [ObjectIdentifier: Channel] = [:]
        /// Reasons for which no post of this center is direct.
        private var detours = 0

        /// The channel of a type, made if there was none.
        mutating func channel(of type: ObjectIdentifier) -> Channel {
            if let channel = channels[type] { return channel }
            let channel = Channel()
            channel.addDetour(detours)
            channels[type] = channel
            return channel
        }

        /// Adds or takes back a reason for which posts do more than calling handlers.
        mutating func addDetour(_ change: Int) {
            detours += change
            for channel in channels.values { channel.addDetour(change) }
        }
    }
}
