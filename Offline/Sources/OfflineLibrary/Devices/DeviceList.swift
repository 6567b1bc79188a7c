// SPDX-License-Identifier: Apache-2.0
package import OfflineStore

/// The devices of the local network, for the HTTP API, the page and `offline devices`.
package struct DeviceList: Sendable, Codable {
    /// A device that waits to be let in.
    package struct Arrival: Sendable, Codable {
        /// The number by which the user decides about the device.
        package let id: Int
        /// The name to display, such as `Safari on iPhone`.
        package let name: String
        /// The digits that the device also shows.
        package let code: String

        /// Creates the description of a device that waits.
        package init(id: Int, name: String, code: String) {
            (self.id, self.name, self.code) = (id, name, code)
        }
    }

    /// Whether other devices can connect at all.
    package let isOpen: Bool
    /// The address for devices, or nil without a network.
    package let address: String?
    /// The devices that are let in.
    package let devices: [Device]
    /// The devices that wait.
    package let arrivals: [Arrival]

    /// Creates a list.
    package init(isOpen: Bool, address: String?, devices: [Device], arrivals: [Arrival]) {
        self.isOpen = isOpen
        self.address = address
        self.devices = devices
        self.arrivals = arrivals
    }
}
