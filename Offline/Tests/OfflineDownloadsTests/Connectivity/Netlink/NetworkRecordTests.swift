// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct NetworkRecordTests {
    private typealias Bytes = NetlinkBytes

    private func record(_ bytes: [UInt8]) throws -> NetworkRecord {
        var parser = NetlinkMessageParser(bytes[...])
        return try NetworkRecord(try #require(try parser.next()))
    }

    private func interfaces(_ bytes: [UInt8]) throws -> Set<Int32>? {
        guard case .route(let route) = try record(bytes) else { return nil }
        return route.interfaces
    }

    @Test(arguments: [
        (Bytes.working, true), (Bytes.unplugged, false), (Bytes.loopback, false), (0x40, false),
        (0, false),
    ])
    func aUsableInterfaceIsUpAndRunningAndNotTheLoopback(flags: UInt32, isUsable: Bool) throws {
        guard case .link(let link) = try record(Bytes.link(3, flags)) else {
            Issue.record("not a link")
            return
        }
        #expect(link.index == 3)
        #expect(link.isUsable == isUsable)
    }

    @Test(arguments: [2, 10] as [UInt8])
    func aDefaultRouteNamesItsInterface(family: UInt8) throws {
        let gateway = Bytes.attribute(5, [192, 0, 2, 1])
        #expect(try interfaces(Bytes.route(family: family, gateway, Bytes.interface(2))) == [2])
    }

    @Test func otherRoutesAreNotDefaultRoutes() throws {
        let interface = Bytes.interface(2)
        #expect(try record(Bytes.route(prefix: 24, interface)) == .other)
        #expect(try record(Bytes.route(family: 128, interface)) == .other)
        #expect(try record(Bytes.route(family: 28, interface)) == .other)
        // The types are unreachable, blackhole, prohibit, local and multicast.
        for type in [7, 6, 8, 2, 5] as [UInt8] {
            #expect(try record(Bytes.route(type: type, interface)) == .other)
        }
        #expect(try record(Bytes.route(flags: 0x200, interface)) == .other)
        #expect(try record(Bytes.route(flags: 0x1, interface)) == .other)
    }

    @Test func deadNextHopsDoNotCount() throws {
        let hops = Bytes.nextHop(2) + Bytes.nextHop(3, flags: 1) + Bytes.nextHop(4)
        let bytes = Bytes.route(Bytes.attribute(Netlink.Attribute.multipath, hops))
        #expect(try interfaces(bytes) == [2, 4])
    }

    @Test func aRouteMayReferToANextHopObject() throws {
        let object = Bytes.attribute(Netlink.Attribute.nextHopObject, [9, 0, 0, 0])
        let routes = [Bytes.route(object), Bytes.route(object, Bytes.interface(2)), Bytes.route()]
        let indirect = try routes.map { bytes in
            guard case .route(let route) = try record(bytes) else { return false }
            return route.isIndirect
        }
        #expect(indirect == [true, false, false])
    }

    @Test(arguments: [
        Bytes.message(Netlink.MessageType.newLink, []),
        Bytes.message(Netlink.MessageType.newLink, [UInt8](repeating: 0, count: 15)),
        Bytes.message(Netlink.MessageType.newRoute, []),
        Bytes.message(Netlink.MessageType.newRoute, [2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
        Bytes.route(Bytes.attribute(Netlink.Attribute.outputInterface, [1, 2, 3])),
        Bytes.route(Bytes.attribute(Netlink.Attribute.outputInterface, [], length: 0)),
        Bytes.route(
            Bytes.attribute(Netlink.Attribute.multipath, Bytes.nextHop(2, length: 0))
        ),
        Bytes.route(
            Bytes.attribute(Netlink.Attribute.multipath, Bytes.nextHop(2, length: 7))
        ),
        Bytes.route(
            Bytes.attribute(Netlink.Attribute.multipath, Bytes.nextHop(2, length: 17))
        ),
        Bytes.route(Bytes.attribute(Netlink.Attribute.multipath, [8, 0, 0, 0])),
    ])
    func messagesThatAreTooShortAreRejected(bytes: [UInt8]) {
        #expect(throws: NetlinkError.malformed) { try record(bytes) }
    }

    @Test func linksAddressesAndDefaultRoutesAffectTheConnectivity() {
        let relevant = [
            Bytes.link(1, 0), Bytes.link(1, 0, type: Netlink.MessageType.deletedLink),
            Bytes.message(Netlink.MessageType.newAddress),
            Bytes.message(Netlink.MessageType.deletedAddress),
            Bytes.route(), Bytes.message(Netlink.MessageType.overrun),
            Bytes.route(prefix: 24) + Bytes.route(),
        ]
        for datagram in relevant { #expect(NetworkRecord.mayAffectConnectivity(datagram[...])) }
        let irrelevant = [
            [], Bytes.route(prefix: 24), Bytes.message(9_999, [1, 2, 3]), Bytes.message(0),
            Bytes.done(1),
        ]
        for datagram in irrelevant { #expect(!NetworkRecord.mayAffectConnectivity(datagram[...])) }
    }

    @Test func aMalformedDatagramMayAffectTheConnectivity() {
        #expect(NetworkRecord.mayAffectConnectivity([1, 2, 3]))
        #expect(
            NetworkRecord.mayAffectConnectivity(Bytes.message(Netlink.MessageType.newLink)[...])
        )
    }

    /// Sets every byte of a valid message to every value, and expects a result or an error.
    @Test func noByteValueCausesAReadBeyondTheEnd() {
        let hops = Bytes.nextHop(2) + Bytes.nextHop(3)
        let whole =
            Bytes.link(3, Bytes.working)
            + Bytes.route(Bytes.interface(2), Bytes.attribute(Netlink.Attribute.multipath, hops))
        for place in whole.indices {
            for value in UInt8.min...UInt8.max {
                var bytes = whole
                bytes[place] = value
                var query = NetworkQuery()
                _ = query.begin()
                _ = try? query.receive(bytes[...])
                _ = NetworkRecord.mayAffectConnectivity(bytes[...])
                _ = NetworkRecord.mayAffectConnectivity(bytes[..<place])
            }
        }
    }
}
