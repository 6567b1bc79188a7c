// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// Where a notification is shown: on which bus, by whom, under which number.
///
/// A number means something only to the run of the daemon that has given it, which the bus and the
/// daemon's unique name on it tell from all others.
struct DaemonHandle: Hashable, Sendable {
    let server: String
    let owner: String
    let id: UInt32

    init(server: String, owner: String, id: UInt32) {
        self.server = server
        self.owner = owner
        self.id = id
    }

    /// Reads what ``handle`` has written; nil for anything else.
    init?(_ handle: NotificationHandle) {
        let parts = handle.text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "fdo1", let id = UInt32(parts[3]), id > 0 else {
            return nil
        }
        self.init(server: String(parts[1]), owner: String(parts[2]), id: id)
    }

    var handle: NotificationHandle { NotificationHandle("fdo1 \(server) \(owner) \(id)") }
}
