// SPDX-License-Identifier: Apache-2.0

/// Constants of the kernel's routing messages that the Glibc module does not export.
///
/// The constants are part of the kernel's stable interface: `linux/netlink.h`, `linux/rtnetlink.h`,
/// `linux/if.h` and `linux/if_link.h`.
enum Netlink {
    /// The netlink protocol for links, addresses and routes.
    static let route: Int32 = 0

    /// Groups of notifications that a socket can join, as bits of the socket's address.
    enum MulticastGroup {
        static let link: UInt32 = 0x1
        static let addressV4: UInt32 = 0x10
        static let routeV4: UInt32 = 0x40
        static let addressV6: UInt32 = 0x100
        static let routeV6: UInt32 = 0x400
    }

    /// Types of messages.
    enum MessageType {
        static let error: UInt16 = 2
        static let done: UInt16 = 3
        static let overrun: UInt16 = 4
        static let newLink: UInt16 = 16
        static let deletedLink: UInt16 = 17
        static let getLink: UInt16 = 18
        static let newAddress: UInt16 = 20
        static let deletedAddress: UInt16 = 21
        static let newRoute: UInt16 = 24
        static let deletedRoute: UInt16 = 25
        static let getRoute: UInt16 = 26
    }

    /// Flags of a message.
    enum Flag {
        static let request: UInt16 = 0x1
        /// The table changed during the dump.
        static let dumpInterrupted: UInt16 = 0x10
        static let dump: UInt16 = 0x300
    }

    /// Flags of an interface.
    enum Interface {
        static let up: UInt32 = 0x1
        static let loopback: UInt32 = 0x8
        static let running: UInt32 = 0x40
    }

    /// Types and flags of a route.
    enum Route {
        /// The type of a route that forwards packets, as opposed to a route that rejects packets.
        static let unicast: UInt8 = 1
        /// The flag of a cached copy of another route.
        static let cloned: UInt32 = 0x200
        /// The flag of a route or a next hop whose interface is gone.
        static let dead: UInt8 = 0x1
    }

    /// Attributes of a route.
    enum Attribute {
        static let outputInterface: UInt16 = 4
        static let multipath: UInt16 = 9
        static let nextHopObject: UInt16 = 30
        /// The bits in an attribute's type that do not belong to the attribute's number.
        static let flags: UInt16 = 0xC000
    }

    static let headerLength = 16
    static let linkLength = 16
    static let routeLength = 12
    static let attributeHeaderLength = 4
    static let nextHopLength = 8

    /// Rounds a length up to the offset of the next message or attribute.
    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}
