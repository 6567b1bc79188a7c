// SPDX-License-Identifier: Apache-2.0

/// What the queue of downloads works on now.
///
/// Items that wait for their turn are those of the library that are `queued` and not in here.
package struct QueueState: Hashable, Sendable, Codable {
    /// Those that are being downloaded, in the order of their numbers.
    package var running: [ItemID] = []
    /// Those that are left out until there is a network.
    package var waitingForNetwork: [ItemID] = []

    package init(running: [ItemID] = [], waitingForNetwork: [ItemID] = []) {
        self.running = running
        self.waitingForNetwork = waitingForNetwork
    }
}
