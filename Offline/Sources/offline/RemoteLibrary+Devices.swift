// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension RemoteLibrary {
    /// An address with which one device can present itself.
    struct Invitation: Decodable {
        let address: String
        /// The rows of its QR code.
        let rows: [String]
    }

    func devices() async throws -> DeviceList {
        try await call(.get, "/api/devices")
    }

    func inviteDevice() async throws -> Invitation {
        try await call(.post, "/api/devices/invitations", [String: String]())
    }

    func decide(_ id: Int, letIn: Bool) async throws {
        let _: DeviceList = try await call(.post, "/api/devices/arrivals/\(id)", ["letIn": letIn])
    }

    func removeDevice(_ id: Int) async throws {
        let _: DeviceList = try await call(.delete, "/api/devices/\(id)")
    }
}
