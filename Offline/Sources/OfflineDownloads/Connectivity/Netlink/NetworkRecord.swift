// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The part of a kernel message that matters for the connectivity.
enum NetworkRecord: Hashable {
    case link(NetworkLink)
    case route(DefaultRoute)
    /// An address that an interface gained or lost.
    case address
    /// Any other message, such as a route to a single network.
    case other

    init(_ message: NetlinkMessage) throws(NetlinkError) {
        switch message.type {
        case Netlink.MessageType.newLink, Netlink.MessageType.deletedLink:
            self = .link(try NetworkLink(message.payload))
        case Netlink.MessageType.newRoute, Netlink.MessageType.deletedRoute:
            self = try DefaultRoute(message.payload).map { .route($0) } ?? .other
        case Netlink.MessageType.newAddress, Netlink.MessageType.deletedAddress:
            self = .address
        default:
            self = .other
        }
    }

    /// Returns whether a datagram of notifications may affect the connectivity.
    ///
    /// The result is also true for a datagram that cannot be parsed.
    static func mayAffectConnectivity(_ datagram: ArraySlice<UInt8>) -> Bool {
        var reader = NetlinkMessageParser(datagram)
        do throws(NetlinkError) {
            while let message = try reader.next() {
                if message.type == Netlink.MessageType.overrun { return true }
                if try NetworkRecord(message) != .other { return true }
            }
            return false
        } catch {
            return true
        }
    }
}

/// A network interface.
struct NetworkLink: Hashable {
    let index: Int32
    /// Whether packets can leave the machine over the interface now.
    let isUsable: Bool

    init(_ payload: ArraySlice<UInt8>) throws(NetlinkError) {
        guard payload.count >= Netlink.linkLength,
            let index = payload.number(Int32.self, at: 4),
            let flags = payload.number(UInt32.self, at: 8)
        else { throw .malformed }
        self.index = index
        let required = Netlink.Interface.up | Netlink.Interface.running
        isUsable = flags & (required | Netlink.Interface.loopback) == required
    }
}

/// A default route of IPv4 or IPv6.
struct DefaultRoute: Hashable {
    /// The indexes of the interfaces that the route may use.
    private(set) var interfaces: Set<Int32> = []
    /// Whether the route refers to a next-hop object of another table and names no interface.
    private(set) var isIndirect = false

    /// Decodes a route.
    ///
    /// The result is nil for a route to only some networks and for a route that forwards nothing.
    init?(_ payload: ArraySlice<UInt8>) throws(NetlinkError) {
        guard payload.count >= Netlink.routeLength,
            let family = payload.number(UInt8.self, at: 0),
            let prefixLength = payload.number(UInt8.self, at: 1),
            let type = payload.number(UInt8.self, at: 7),
            let flags = payload.number(UInt32.self, at: 8)
        else { throw .malformed }
        guard [AF_INET, AF_INET6].contains(Int32(family)), prefixLength == 0,
            type == Netlink.Route.unicast,
            flags & (Netlink.Route.cloned | UInt32(Netlink.Route.dead)) == 0
        else { return nil }
        var hasObject = false
        var attributes = NetlinkAttributeParser(payload.dropFirst(Netlink.routeLength))
        while let attribute = try attributes.next() {
            switch attribute.type {
            case Netlink.Attribute.outputInterface:
                guard let index = attribute.value.number(Int32.self, at: 0) else {
                    throw .malformed
                }
                interfaces.insert(index)
            case Netlink.Attribute.multipath:
                interfaces.formUnion(try Self.nextHops(attribute.value))
            case Netlink.Attribute.nextHopObject:
                hasObject = true
            default:
                break
            }
        }
        isIndirect = hasObject && interfaces.isEmpty
    }

    /// Returns the interfaces of the next hops that are not dead.
    private static func nextHops(
        _ bytes: ArraySlice<UInt8>
    ) throws(NetlinkError) -> Set<Int32> {
        var interfaces: Set<Int32> = []
        var rest = bytes
        while !rest.isEmpty {
            guard let length = rest.number(UInt16.self, at: 0).map(Int.init),
                length >= Netlink.nextHopLength, length <= rest.count,
                let flags = rest.number(UInt8.self, at: 2),
                let index = rest.number(Int32.self, at: 4)
            else { throw .malformed }
            if flags & Netlink.Route.dead == 0 { interfaces.insert(index) }
            rest = rest.dropFirst(Netlink.aligned(length))
        }
        return interfaces
    }
}
