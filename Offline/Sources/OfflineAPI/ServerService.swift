// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary

/// The parts that only a running server has, for one request.
package protocol ServerService: Sendable {
    /// The library of the server.
    var library: Library { get }
    /// The access for other devices, or nil without one.
    var devices: (any DeviceService)? { get }
    /// The other machines, or nil without a household.
    var household: (any HouseholdService)? { get }
    /// The recorded posts and the present observations.
    var recentActivity: ActivityJSON { get }
    /// Returns a new address that admits one browser.
    var entryAddress: @Sendable () -> String { get }
    /// Shows a file in the file manager of this machine, or nil if the request comes from another
    /// machine, where the user would not see the window.
    var showInFolder: (@Sendable (String) async -> Bool)? { get }

    /// Stores whether a page is in front.
    ///
    /// Returns false if the page's stream has ended.
    func setInFront(_ isInFront: Bool, client: Int) -> Bool
}

/// The access for other devices of the local network.
package protocol DeviceService: Sendable {
    /// The devices that are let in and the devices that wait.
    var list: DeviceList { get }
    /// Returns a new address with which one device can present itself, and the QR code of the
    /// address, or nil without a network.
    func invitation() -> Invitation?
    /// Lets a waiting device in or refuses the device.
    func decide(_ id: Int, letIn: Bool) throws
    /// Removes a device.
    func remove(_ id: Int) throws
}

/// An address with which one device can present itself.
package struct Invitation: Codable, Sendable {
    /// The address.
    package let address: String
    /// The rows of the address's QR code.
    package let rows: [String]

    /// Creates an invitation.
    package init(address: String, rows: [String]) {
        self.address = address
        self.rows = rows
    }
}
