// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
package import Tidings

/// The machines of the household for the API.
///
/// A server without `--join` has no such service.
package protocol HouseholdService: Sendable {
    /// Returns this machine's connection and the other machines that are present now.
    func overview() -> HouseholdOverview

    /// Hands an address to the machine with the given name, or to any machine if the name is `any`.
    ///
    /// - Throws: `HandoverError`, or `LibraryError` with `.invalidAddress` if the address is too
    ///   long. If `machine` is this machine, also the errors of `Library.enqueue`.
    func handOver(_ request: DownloadRequest, to machine: String) async throws -> Handover
}

/// Posted when a machine of the household joins, changes or leaves, or when the connection changes.
package struct MachinesChanged: Message {
    /// Hidden, because these messages would displace the breadcrumbs that help a developer.
    package static let tracing = MessageTracing.hidden

    /// Creates a message.
    package init() {}
}

/// The household for the HTTP API and the page.
package struct HouseholdOverview: Hashable, Sendable, Codable {
    /// A machine that has reported lately.
    package struct Machine: Hashable, Sendable, Codable {
        /// The name for display.
        package var name: String
        /// The page of the machine, or nil if no other machine can reach it.
        package var page: MachinePage?
        /// The free bytes of the disk with the machine's library, or nil if unknown.
        package var freeBytes: Int64?
        /// The number of finished items on the machine.
        package var readyCount: Int
        /// The number of items on the machine that wait or are being downloaded.
        package var waitingCount: Int

        /// Creates the facts of a machine.
        package init(
            name: String,
            page: MachinePage?,
            freeBytes: Int64?,
            readyCount: Int,
            waitingCount: Int
        ) {
            self.name = name
            self.page = page
            self.freeBytes = freeBytes
            self.readyCount = readyCount
            self.waitingCount = waitingCount
        }
    }

    /// Whether the server was started with `--join`.
    package var isJoined = false
    /// Whether the household's server is connected now.
    package var isConnected = false
    /// The time since which `isConnected` has its value, or nil without `--join`.
    package var since: Date?
    /// The reason why the server is not connected, or nil without a failure.
    package var problem: String?
    /// The number of messages that wait for the server.
    package var outboxCount = 0
    /// The name of this machine on the others.
    package var name: String?
    /// The other machines, sorted by name.
    package var machines: [Machine] = []

    /// Creates the household of a server without `--join`.
    package init() {}
}
