// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension RemoteLibrary {
    /// The devices of the local network.
    struct Devices: Codable {
        /// A device that waits to be let in.
        struct Arrival: Codable {
            let id: Int
            let name: String
            let code: String
        }

        let isOpen: Bool
        let address: String?
        let devices: [Device]
        let arrivals: [Arrival]
    }

    /// An address with which one device can present itself.
    struct Invitation: Decodable {
        let address: String
        /// The rows of its QR code.
        let rows: [String]
    }

    func devices() async throws -> Devices {
        try await call(.get, "/api/devices")
    }

    func inviteDevice() async throws -> Invitation {
        try await call(.post, "/api/devices/invitations", [String: String]())
    }

    func decide(_ id: Int, letIn: Bool) async throws {
        let _: Devices = try await call(.post, "/api/devices/arrivals/\(id)", ["letIn": letIn])
    }

    func removeDevice(_ id: Int) async throws {
        let _: Devices = try await call(.delete, "/api/devices/\(id)")
    }
}
