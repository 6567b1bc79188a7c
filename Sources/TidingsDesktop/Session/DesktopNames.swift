// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Names from the D-Bus and notification specifications.
enum DesktopNames {
    static let daemon = "org.freedesktop.Notifications"
    static let daemonPath = "/org/freedesktop/Notifications"
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    /// Returns the rule that matches ownership changes of a name.
    static func ownerRule(_ name: String) -> String {
        "type='signal',sender='\(bus)',path='\(busPath)',interface='\(bus)',"
            + "member='NameOwnerChanged',arg0='\(name)'"
    }

    /// Returns the rule that matches the signals about this connection getting or losing a name.
    static func ownershipRule(_ name: String) -> String {
        "type='signal',sender='\(bus)',path='\(busPath)',interface='\(bus)',arg0='\(name)'"
    }

    /// The rule that matches the signals of the daemon's owner.
    ///
    /// The bus drops broadcasts of other senders, but not signals sent directly to this connection,
    /// so the session also compares the sender with the current owner.
    static let signalRule =
        "type='signal',sender='\(daemon)',path='\(daemonPath)',interface='\(daemon)'"
}

extension BusMessage {
    /// Whether this is an ownership change, sent by the bus itself.
    var isOwnerChange: Bool { sender == DesktopNames.bus && signature == "sss" }

    /// Whether the bus signals that this connection has got or lost a name.
    var isOwnershipSignal: Bool {
        sender == DesktopNames.bus && (member == "NameAcquired" || member == "NameLost")
    }

    /// The unique name of the new owner, or nil without an owner.
    var newOwner: String? {
        let owner = body.count == 3 ? body[2].asString : nil
        return owner?.isEmpty == true ? nil : owner
    }
}

extension BusCall {
    /// Returns a call to the bus itself.
    static func ofBus(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall(
            destination: DesktopNames.bus,
            path: DesktopNames.busPath,
            interface: DesktopNames.bus,
            member: member,
            body: body
        )
    }

    /// Returns a call to one daemon process by the unique name, which never reaches a successor.
    static func ofDaemon(
        _ owner: String,
        _ member: String,
        body: [BusValue] = [],
        interface: String = DesktopNames.daemon
    ) -> BusCall {
        BusCall(
            destination: owner,
            path: DesktopNames.daemonPath,
            interface: interface,
            member: member,
            body: body
        )
    }
}
#endif
