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

    /// Everybody's signals with the daemon's interface: the sender is compared here, where it is
    /// known which owner a number belongs to.
    static let signalRule = "type='signal',path='\(daemonPath)',interface='\(daemon)'"
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
