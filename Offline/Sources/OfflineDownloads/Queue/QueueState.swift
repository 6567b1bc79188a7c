// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The state of the download queue.
///
/// A `queued` item that is in neither list waits for a place, for the download hours, or for space
/// on the disk.
package struct QueueState: Hashable, Sendable, Codable {
    /// The items that are being downloaded, in the order of their identifiers.
    package var running: [ItemID] = []
    /// The items that wait for the network, in the order of their identifiers.
    package var waitingForNetwork: [ItemID] = []

    /// The local time, such as `23:00`, at which the download hours start, or nil during these
    /// hours.
    package var hoursBegin: String?
    /// Whether the disk is full, so that no item starts.
    package var isDiskFull = false

    /// Creates a state.
    package init(
        running: [ItemID] = [],
        waitingForNetwork: [ItemID] = [],
        hoursBegin: String? = nil,
        isDiskFull: Bool = false
    ) {
        self.running = running
        self.waitingForNetwork = waitingForNetwork
        self.hoursBegin = hoursBegin
        self.isDiskFull = isDiskFull
    }
}
