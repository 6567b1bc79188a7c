// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineMedia
import Tidings

/// A browser on another machine that may use the library over the local network.
package struct Device: Hashable, Sendable, Identifiable, Codable {
    /// The number, which is never reused.
    package let id: Int
    /// The name to display, such as `Safari on iPhone`.
    package let name: String
    /// The time at which the user let the device in.
    package let added: Date
    /// The time of the device's last request, accurate to an hour.
    package var seen: Date

    /// Returns the checksum of a device's key, or nil if the system does not compute the checksum.
    package static func checksum(ofKey key: String) -> String? { FileDigest.sha256(of: key) }
}

/// The devices changed, because a device now waits, was let in, was refused or was removed.
package struct DevicesChanged: Message, Hashable {
    /// Creates the message.
    package init() {}
}

/// The user has let a waiting device in or refused the device.
package struct DeviceAnswered: Message, Hashable {
    /// The number of the arrival.
    package let id: Int

    /// Creates the message.
    package init(id: Int) {
        self.id = id
    }
}

/// The user decides about a waiting device, without effect if no device has the number.
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

/// A device waits for the user's decision.
package struct DeviceArrived: Message, Hashable {
    /// The number of the arrival.
    package let id: Int
    /// The name to display, such as `Safari on iPhone`.
    package let name: String
    /// The digits that the device shows.
    package let code: String

    /// Creates the message.
    package init(id: Int, name: String, code: String) {
        (self.id, self.name, self.code) = (id, name, code)
    }
}
