// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a message of the kernel says, as far as it matters for the way out.
enum NetworkRecord: Hashable {
    case link(NetworkLink)
    case route(DefaultRoute)
    /// An address that an interface got or lost.
    case address
    /// Anything else, such as a route to one network only.
    case other

    init(_ message: NetlinkMessage) throws(NetlinkError) {
        switch message.type {
        case Netlink.Kind.newLink, Netlink.Kind.deletedLink:
            self = .link(try NetworkLink(message.payload))
        case Netlink.Kind.newRoute, Netlink.Kind.deletedRoute:
            self = try DefaultRoute(message.payload).map { .route($0) } ?? .other
        case Netlink.Kind.newAddress, Netlink.Kind.deletedAddress:
            self = .address
        default:
            self = .other
        }
    }

    /// Whether news in this datagram can make a difference; what cannot be read may.
    static func isNews(_ datagram: ArraySlice<UInt8>) -> Bool {
        var reader = NetlinkReader(datagram)
        do throws(NetlinkError) {
            while let message = try reader.next() {
                if message.type == Netlink.Kind.overrun { return true }
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
    /// Whether packets can leave the machine over it now.
    let leadsOut: Bool

    init(_ payload: ArraySlice<UInt8>) throws(NetlinkError) {
        guard payload.count >= Netlink.linkLength,
            let index = payload.number(Int32.self, at: 4),
            let flags = payload.number(UInt32.self, at: 8)
        else { throw .malformed }
        self.index = index
        let wanted = Netlink.Interface.up | Netlink.Interface.running
        leadsOut = flags & (wanted | Netlink.Interface.loopback) == wanted
    }
}

/// A route to everywhere, of IPv4 or IPv6.
struct DefaultRoute: Hashable {
    /// The interfaces that it may take.
    private(set) var interfaces: Set<Int32> = []
    /// Whether it leaves it to an object of another table which interface it takes.
    private(set) var isIndirect = false

    /// Reads a route; nil for one that leads to some networks only, or nowhere.
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
        var attributes = NetlinkAttributes(payload.dropFirst(Netlink.routeLength))
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

    /// The interfaces of the next hops that are alive.
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
