// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings

extension Router {
    /// Returns a new address with which one device can present itself, and its QR code.
    func inviteDevice() throws -> ServerResponse {
        guard let address = try requireDevices().invite() else {
            throw LibraryError(
                .unavailable,
                "This machine has no address in a network. Connect it to the network of the device."
            )
        }
        let rows = QRCode(address)?.rows ?? []
        return .json(InvitationJSON(address: address, rows: rows), status: 201)
    }

    /// Lets a device that waits in, or refuses it.
    func decide(_ text: Substring, _ request: ServerRequest) throws -> ServerResponse {
        let decision = try JSONCoding.decode(DecisionJSON.self, from: request.body)
        let devices = try requireDevices()
        let id = try Self.number(text)
        if decision.letIn {
            _ = try devices.letIn(id)
        } else {
            try devices.refuse(id)
        }
        return .json(DeviceList(devices))
    }

    func removeDevice(_ text: Substring) throws -> ServerResponse {
        let devices = try requireDevices()
        try devices.remove(try Self.number(text))
        return .json(DeviceList(devices))
    }

    private func requireDevices() throws(LibraryError) -> DeviceAccess {
        guard let devices else {
            throw LibraryError(
                .unavailable,
                "The library is open to this machine only. Start it with `offline serve --lan`."
            )
        }
        return devices
    }

    private static func number(_ text: Substring) throws(LibraryError) -> Int {
        guard let number = Int(text) else {
            throw LibraryError(
                .notFound,
                "“\(text.prefix(20))” is not the number of a device. Use a number from the list."
            )
        }
        return number
    }
}

extension DeviceList {
    /// Creates the list of what a server lets in; of one that is open to its machine only, it is
    /// empty.
    init(_ access: DeviceAccess?) {
        self.init(
            isOpen: access != nil,
            address: access?.address,
            devices: access?.devices ?? [],
            arrivals: (access?.arrivals ?? []).map {
                Arrival(id: $0.id, name: $0.name, code: $0.code)
            }
        )
    }
}

private struct InvitationJSON: Encodable {
    let address: String
    let rows: [String]
}

private struct DecisionJSON: Decodable {
    let letIn: Bool
}
