// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
package import OfflineModel

/// The operations that need a running server.
package struct ServerOperations: Sendable {
    /// Returns an address that admits one browser.
    package let makeTicket = post("/tickets", status: 201) {
        (server: any ServerService, _: NoContent) in EntryJSON(address: server.entryAddress())
    }

    /// Reports whether a page is in front.
    package let setPresence = post("/presence", 404) {
        (server: any ServerService, presence: PresenceJSON) in
        guard server.setInFront(presence.inFront, client: presence.client) else {
            throw APIError(
                .notFound,
                "The event stream of page \(presence.client) has ended. "
                    + "Connect to /api/events again."
            )
        }
        return presence
    }

    /// Returns the devices of the local network.
    package let devices = get("/devices") { (server: any ServerService, _: NoContent) in
        server.deviceList
    }

    /// Returns an address with which one device can present itself.
    package let inviteDevice = post("/devices/invitations", 503, status: 201) {
        (server: any ServerService, _: NoContent) in
        guard let invitation = try server.requireDevices().invitation() else {
            throw LibraryError(
                .unavailable,
                "This machine has no address in a network. Connect it to the network of the device."
            )
        }
        return invitation
    }

    /// Lets a waiting device in or refuses the device.
    package let decideDevice = post("/devices/arrivals/{id}", 404, 503) {
        (server: any ServerService, input: Addressed<Int, DecisionJSON>) in
        try server.requireDevices().decide(input.target, letIn: input.body.letIn)
        return server.deviceList
    }

    /// Removes a device.
    package let removeDevice = delete("/devices/{id}", 404, 503) {
        (server: any ServerService, id: Int) in
        try server.requireDevices().remove(id)
        return server.deviceList
    }

    /// Returns the household and the other machines.
    package let machines = get("/machines") { (server: any ServerService, _: NoContent) in
        server.household?.overview() ?? HouseholdOverview()
    }

    /// Hands an address to a machine of the household.
    package let handOver = post("/machines/downloads", 409, status: 202) {
        (server: any ServerService, order: HandoverOrder) in
        guard let household = server.household else {
            throw HandoverError(
                "This library is in no household. Start its server with --join nats://HOST:PORT."
            )
        }
        return try await household.handOver(try order.plain(), to: order.machine)
    }

    /// Returns the newest posts between the parts of the server, and the observations.
    package let activity = get("/activity") { (server: any ServerService, _: NoContent) in
        server.recentActivity
    }

    /// Returns the folder of the library and the free space.
    package let folder = get("/library") { (server: any ServerService, _: NoContent) in
        FolderJSON(
            folder: server.library.directory.media,
            freeBytes: server.library.freeBytes,
            canShow: server.showInFolder != nil
        )
    }

    /// Shows the folder of the library in the file manager of this machine.
    package let showFolder = post("/library/show", 503) {
        (server: any ServerService, _: NoContent) in
        try await server.show(server.library.directory.media)
    }

    /// Shows the file of an item in the file manager of this machine.
    package let showFile = post("/items/{id}/show", 404, 503) {
        (server: any ServerService, id: ItemID) in
        let item = try server.library.item(id)
        guard item.state == .ready, let name = item.fileName else {
            throw LibraryError(
                .notFound,
                "Item \(id) has no file: its state is \(item.state.rawValue)."
            )
        }
        return try await server.show(server.library.directory.mediaFile(name))
    }
}

extension ServerService {
    fileprivate var deviceList: DeviceList {
        devices?.list ?? DeviceList(isOpen: false, address: nil, devices: [], arrivals: [])
    }

    fileprivate func requireDevices() throws(LibraryError) -> any DeviceService {
        guard let devices else {
            throw LibraryError(
                .unavailable,
                "The library is open to this machine only. Start it with `offline serve --lan`."
            )
        }
        return devices
    }

    fileprivate func show(_ path: String) async throws(LibraryError) -> ShownJSON {
        guard let showInFolder, await showInFolder(path) else {
            throw LibraryError(
                .unavailable,
                "This machine shows no folders to this page. The path is \(path)"
            )
        }
        return ShownJSON(shown: path)
    }
}

/// An address that admits one browser.
package struct EntryJSON: Codable, Sendable {
    /// The address.
    package let address: String
}

/// The request and the response of `POST /api/presence`.
package struct PresenceJSON: JSONInput {
    /// The number in the first event of the page's stream.
    let client: Int
    /// Whether the page is visible and has the focus.
    let inFront: Bool
}

extension Int: PathInput {
    /// Reads the number of a device.
    ///
    /// - Throws: `LibraryError` with `.notFound`.
    package init(pathValue text: String) throws {
        guard let number = Int(text) else {
            throw LibraryError(
                .notFound,
                "“\(text.prefix(20))” is not the number of a device. Use a number from the list."
            )
        }
        self = number
    }

    /// The number.
    package var pathValue: String { String(self) }
}

/// The user's decision on a device.
package struct DecisionJSON: JSONInput {
    let letIn: Bool

    /// Creates a decision.
    package init(letIn: Bool) { self.letIn = letIn }
}

/// The response of `GET /api/library`.
package struct FolderJSON: Codable, Sendable {
    let folder: String
    let freeBytes: Int64?
    let canShow: Bool
}

/// The response after a file or a folder was shown.
package struct ShownJSON: Codable, Sendable {
    let shown: String
}
