// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineLibrary
package import Tidings

/// The machines of the household, which the API lists; a server without `--join` has none.
package protocol HouseholdService: Sendable {
    /// Returns this machine's connection and the other machines that are here now.
    func overview() -> HouseholdOverview

    /// Hands an address to a machine of the household, by its name, or to `any`.
    ///
    /// - Throws: `HandoverError`, or `LibraryError` with `.invalidAddress` if it is too long, and
    ///   if this machine keeps it.
    func handOver(_ request: DownloadRequest, to machine: String) async throws -> Handover
}

/// A machine of the household joined, changed or left, or the connection changed.
package struct MachinesChanged: Message {
    /// Hidden, because it would displace the breadcrumbs that help a developer.
    package static let tracing = MessageTracing.hidden

    /// Creates a message.
    package init() {}
}

/// The household for the HTTP API and the page.
package struct HouseholdOverview: Hashable, Sendable, Codable {
    /// A machine that has reported lately.
    package struct Machine: Hashable, Sendable, Codable {
        /// The name for a person.
        package var name: String
        /// The page of the machine; nil if no other machine can reach it.
        package var page: MachinePage?
        /// The free bytes of its library's disk; nil if unknown.
        package var freeBytes: Int64?
        /// The number of its finished items.
        package var readyCount: Int
        /// The number of its items that wait or are being downloaded.
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
    /// Since when it has been connected, or not; nil without `--join`.
    package var since: Date?
    /// Why it is not connected; nil while there is no failure.
    package var problem: String?
    /// The number of messages that wait for the server.
    package var outboxCount = 0
    /// The name of this machine for the others.
    package var name: String?
    /// The other machines, by name.
    package var machines: [Machine] = []

    /// Creates the household of a server without `--join`.
    package init() {}
}
