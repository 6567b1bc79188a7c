// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct NetworkRecordTests {
    private typealias Bytes = NetlinkBytes

    private func record(_ bytes: [UInt8]) throws -> NetworkRecord {
        var reader = NetlinkReader(bytes[...])
        return try NetworkRecord(try #require(try reader.next()))
    }

    private func interfaces(_ bytes: [UInt8]) throws -> Set<Int32>? {
        guard case .route(let route) = try record(bytes) else { return nil }
        return route.interfaces
    }

    @Test(arguments: [
        (Bytes.working, true), (Bytes.unplugged, false), (Bytes.loopback, false), (0x40, false),
        (0, false),
    ])
    func packetsLeaveOverWhatIsUpAndRunningAndNotTheLoopback(flags: UInt32, leadsOut: Bool) throws {
        guard case .link(let link) = try record(Bytes.link(3, flags)) else {
            Issue.record("not a link")
            return
        }
        #expect(link.index == 3)
        #expect(link.leadsOut == leadsOut)
    }

    @Test(arguments: [2, 10] as [UInt8])
    func aDefaultRouteNamesItsInterface(family: UInt8) throws {
        let gateway = Bytes.attribute(5, [192, 0, 2, 1])
        #expect(try interfaces(Bytes.route(family: family, gateway, Bytes.over(2))) == [2])
    }

    @Test func whatLeadsNotEverywhereIsNoDefaultRoute() throws {
        let over = Bytes.over(2)
        #expect(try record(Bytes.route(prefix: 24, over)) == .other)
        #expect(try record(Bytes.route(family: 128, over)) == .other)
        #expect(try record(Bytes.route(family: 28, over)) == .other)
        // Unreachable, blackhole, prohibit, local, multicast.
        for type in [7, 6, 8, 2, 5] as [UInt8] {
            #expect(try record(Bytes.route(type: type, over)) == .other)
        }
        #expect(try record(Bytes.route(flags: 0x200, over)) == .other)
        #expect(try record(Bytes.route(flags: 0x1, over)) == .other)
    }

    @Test func ofSeveralNextHopsTheLivingCount() throws {
        let hops = Bytes.nextHop(2) + Bytes.nextHop(3, flags: 1) + Bytes.nextHop(4)
        let bytes = Bytes.route(Bytes.attribute(Netlink.Attribute.multipath, hops))
        #expect(try interfaces(bytes) == [2, 4])
    }

    @Test func aRouteMayLeaveItsInterfaceToAnObject() throws {
        let object = Bytes.attribute(Netlink.Attribute.nextHopObject, [9, 0, 0, 0])
        let routes = [Bytes.route(object), Bytes.route(object, Bytes.over(2)), Bytes.route()]
        let indirect = try routes.map { bytes in
            guard case .route(let route) = try record(bytes) else { return false }
            return route.isIndirect
        }
        #expect(indirect == [true, false, false])
    }

    @Test(arguments: [
        Bytes.message(Netlink.Kind.newLink, []),
        Bytes.message(Netlink.Kind.newLink, [UInt8](repeating: 0, count: 15)),
        Bytes.message(Netlink.Kind.newRoute, []),
        Bytes.message(Netlink.Kind.newRoute, [2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
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
    func whatIsTooShortIsRefused(bytes: [UInt8]) {
        #expect(throws: NetlinkError.malformed) { try record(bytes) }
    }

    @Test func newsAreLinksAddressesAndDefaultRoutes() {
        let news = [
            Bytes.link(1, 0), Bytes.link(1, 0, type: Netlink.Kind.deletedLink),
            Bytes.message(Netlink.Kind.newAddress), Bytes.message(Netlink.Kind.deletedAddress),
            Bytes.route(), Bytes.message(Netlink.Kind.overrun),
            Bytes.route(prefix: 24) + Bytes.route(),
        ]
        for datagram in news { #expect(NetworkRecord.isNews(datagram[...])) }
        let noNews = [
            [], Bytes.route(prefix: 24), Bytes.message(9_999, [1, 2, 3]), Bytes.message(0),
            Bytes.done(1),
        ]
        for datagram in noNews { #expect(!NetworkRecord.isNews(datagram[...])) }
    }

    @Test func whatCannotBeReadMayBeNews() {
        #expect(NetworkRecord.isNews([1, 2, 3]))
        #expect(NetworkRecord.isNews(Bytes.message(Netlink.Kind.newLink)[...]))
    }

    /// Every byte of a good message takes every value: all of them are read or refused.
    @Test func noByteLeadsBeyondTheEnd() {
        let hops = Bytes.nextHop(2) + Bytes.nextHop(3)
        let whole =
            Bytes.link(3, Bytes.working)
            + Bytes.route(Bytes.over(2), Bytes.attribute(Netlink.Attribute.multipath, hops))
        for place in whole.indices {
            for value in UInt8.min...UInt8.max {
                var bytes = whole
                bytes[place] = value
                var dump = NetworkDump()
                _ = dump.begin()
                _ = try? dump.receive(bytes[...])
                _ = NetworkRecord.isNews(bytes[...])
                _ = NetworkRecord.isNews(bytes[..<place])
            }
        }
    }
}
