// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings

/// A browser on another machine that may use the library over the local network.
package struct Device: Hashable, Sendable, Identifiable, Codable {
    /// The number; it is never reused.
    package let id: Int
    /// The name for a person, such as `Safari on iPhone`.
    package let name: String
    /// The time at which a person let it in.
    package let added: Date
    /// The time of its last request, within an hour.
    package var seen: Date

    /// Returns the checksum of a device's key; nil if the system does not compute it.
    package static func checksum(ofKey key: String) -> String? { FileDigest.sha256(of: key) }
}

/// The devices changed: one waits to be let in, was let in, refused or removed.
package struct DevicesChanged: Message, Hashable {
    /// Creates the message.
    package init() {}
}

/// A person answered about a device that waits: it was let in or refused.
package struct DeviceAnswered: Message, Hashable {
    /// The number of the arrival.
    package let id: Int

    /// Creates the message.
    package init(id: Int) {
        self.id = id
    }
}

/// A person decides about a device that waits; without one of this number it has no effect.
package struct DeviceDecision: Message, Hashable {
    /// The number of the arrival.
    package let id: Int
    /// Whether to let the device in.
    package let letIn: Bool

    /// Creates the message.
    package init(id: Int, letIn: Bool) {
        (self.id, self.letIn) = (id, letIn)
    }
}

/// A device waits until a person lets it in or refuses it.
package struct DeviceArrived: Message, Hashable {
    /// The number of the arrival.
    package let id: Int
    /// The name for a person, such as `Safari on iPhone`.
    package let name: String
    /// The digits that the device shows.
    package let code: String

    /// Creates the message.
    package init(id: Int, name: String, code: String) {
        (self.id, self.name, self.code) = (id, name, code)
    }
}
