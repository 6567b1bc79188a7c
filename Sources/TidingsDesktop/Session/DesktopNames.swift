// SPDX-License-Identifier: Apache-2.0

/// The names of the specifications.
enum DesktopNames {
    static let daemon = "org.freedesktop.Notifications"
    static let daemonPath = "/org/freedesktop/Notifications"
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    /// Tells who owns a name from now on.
    static func ownerRule(_ name: String) -> String {
        "type='signal',sender='\(bus)',path='\(busPath)',interface='\(bus)',"
            + "member='NameOwnerChanged',arg0='\(name)'"
    }

    /// The signals of whoever owns the daemon's name.
    ///
    /// The bus keeps those of others away, except those that are sent to us alone. The sender is
    /// compared here, too, where it is known which owner a number belongs to.
    static let signalRule =
        "type='signal',sender='\(daemon)',path='\(daemonPath)',interface='\(daemon)'"
}

extension BusMessage {
    /// Whether the bus itself tells with this who owns a name.
    var isOwnerChange: Bool { sender == DesktopNames.bus && signature == "sss" }

    /// The unique name of who owns the name from now on, if anybody does.
    var newOwner: String? {
        let owner = body.count == 3 ? body[2].asString : nil
        return owner?.isEmpty == true ? nil : owner
    }
}

extension BusCall {
    /// A call of the bus itself.
    static func ofBus(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall(
            destination: DesktopNames.bus,
            path: DesktopNames.busPath,
            interface: DesktopNames.bus,
            member: member,
            body: body
        )
    }

    /// A call of one run of a daemon, by its unique name: never of another one after it.
    static func ofDaemon(
        _ owner: String,
        _ member: String,
        _ body: [BusValue] = [],
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
