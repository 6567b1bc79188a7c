// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The place where a notification is shown, identified by bus, daemon and ID.
///
/// An ID is valid only for the daemon process that assigned it. The server ID of the bus and the
/// daemon's unique name on that bus identify that process.
struct DaemonHandle: Hashable, Sendable {
    let server: String
    let owner: String
    let id: UInt32

    init(server: String, owner: String, id: UInt32) {
        self.server = server
        self.owner = owner
        self.id = id
    }

    /// Parses a value of ``handle``, or returns nil for any other string.
    init?(_ handle: NotificationHandle) {
        let parts = handle.text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "fdo1", let id = UInt32(parts[3]), id > 0 else {
            return nil
        }
        self.init(server: String(parts[1]), owner: String(parts[2]), id: id)
    }

    var handle: NotificationHandle { NotificationHandle("fdo1 \(server) \(owner) \(id)") }
}
#endif
