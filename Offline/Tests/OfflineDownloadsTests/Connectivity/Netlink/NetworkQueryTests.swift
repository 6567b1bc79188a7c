// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct NetworkQueryTests {
    private typealias Bytes = NetlinkBytes

    /// Returns the result of a query that the kernel answers with these links and routes.
    private func connectivity(_ links: [[UInt8]], _ routes: [[UInt8]]) throws -> Connectivity? {
        var query = NetworkQuery()
        var step = query.begin()
        var requested: [NetworkQuery.Table] = []
        while case .request(let table, let sequence) = step {
            requested.append(table)
            let messages = table == .links ? links : routes
            for message in messages {
                #expect(try query.receive(Self.numbered(message, sequence)[...]) == .read)
            }
            step = try query.receive(Bytes.done(sequence)[...])
        }
        #expect(requested == [.links, .routes])
        guard case .finished(let connectivity) = step else { return nil }
        return connectivity
    }

    private static func numbered(
        _ message: [UInt8],
        _ sequence: UInt32,
        flags: UInt16 = 2
    ) -> [UInt8] {
        var message = message
        message.replaceSubrange(6..<8, with: Bytes.number(flags))
        message.replaceSubrange(8..<12, with: Bytes.number(sequence))
        return message
    }

    @Test func aDefaultRouteOverARunningInterfaceIsOnline() throws {
        let links = [Bytes.link(1, Bytes.loopback), Bytes.link(2, Bytes.working)]
        #expect(try connectivity(links, [Bytes.route(Bytes.interface(2))]) == .online)
        #expect(try connectivity(links, [Bytes.route(family: 10, Bytes.interface(2))]) == .online)
    }

    @Test func everythingElseIsOffline() throws {
        let loopback = Bytes.link(1, Bytes.loopback)
        let working = Bytes.link(2, Bytes.working)
        let unplugged = Bytes.link(2, Bytes.unplugged)
        let route = Bytes.route(Bytes.interface(2))
        #expect(try connectivity([], []) == .offline)
        #expect(try connectivity([loopback], []) == .offline)
        #expect(try connectivity([loopback], [Bytes.route(Bytes.interface(1))]) == .offline)
        #expect(try connectivity([loopback, unplugged], [route]) == .offline)
        #expect(try connectivity([loopback, working], []) == .offline)
        #expect(
            try connectivity([loopback, working], [Bytes.route(Bytes.interface(3))]) == .offline
        )
        #expect(
            try connectivity([working], [Bytes.route(prefix: 24, Bytes.interface(2))]) == .offline
        )
        #expect(try connectivity([working], [Bytes.route(type: 7, Bytes.interface(2))]) == .offline)
    }

    @Test func oneUsableRouteOfSeveralIsEnough() throws {
        let links = [Bytes.link(2, Bytes.unplugged), Bytes.link(3, Bytes.working)]
        let routes = [Bytes.route(Bytes.interface(2)), Bytes.route(Bytes.interface(3))]
        #expect(try connectivity(links, routes) == .online)
        let hops = Bytes.nextHop(2) + Bytes.nextHop(3)
        let multipath = Bytes.attribute(Netlink.Attribute.multipath, hops)
        #expect(try connectivity(links, [Bytes.route(multipath)]) == .online)
    }

    @Test func anIndirectRouteUsesAnyUsableInterface() throws {
        let route = Bytes.route(Bytes.attribute(Netlink.Attribute.nextHopObject, [9, 0, 0, 0]))
        #expect(try connectivity([Bytes.link(2, Bytes.working)], [route]) == .online)
        #expect(try connectivity([Bytes.link(2, Bytes.unplugged)], [route]) == .offline)
    }

    @Test func repliesToOtherRequestsAreIgnored() throws {
        var query = NetworkQuery()
        _ = query.begin()
        #expect(try query.receive(Bytes.done(7)[...]) == .read)
        #expect(
            try query.receive(Bytes.message(Netlink.MessageType.error, sequence: 7)[...]) == .read
        )
        #expect(try query.receive(Bytes.message(9_999, sequence: 1, [1, 2])[...]) == .read)
        #expect(try query.receive([]) == .read)
        // Neither a deletion nor a route answers a request for links.
        let others =
            Bytes.link(2, Bytes.working, sequence: 1, type: Netlink.MessageType.deletedLink)
            + Bytes.route(sequence: 1, Bytes.interface(2))
        #expect(try query.receive(others[...]) == .read)
        #expect(try query.receive(Bytes.done(1)[...]) == .request(.routes, sequence: 2))
        #expect(try query.receive(Bytes.route(sequence: 2, Bytes.interface(2))[...]) == .read)
        #expect(try query.receive(Bytes.done(2)[...]) == .finished(.offline))
    }

    @Test func anInterruptedDumpIsRequestedAgain() throws {
        var query = NetworkQuery()
        _ = query.begin()
        let link = Bytes.link(2, Bytes.working)
        _ = try query.receive(
            Self.numbered(link, 1, flags: Netlink.Flag.dumpInterrupted)[...]
        )
        #expect(try query.receive(Bytes.done(1)[...]) == .request(.links, sequence: 2))
        #expect(try query.receive(Bytes.done(2)[...]) == .request(.routes, sequence: 3))
        _ = try query.receive(Bytes.route(sequence: 3, Bytes.interface(2))[...])
        // The link of the first attempt does not count.
        #expect(try query.receive(Bytes.done(3)[...]) == .finished(.offline))
    }

    @Test func lostMessagesCauseALimitedNumberOfAttempts() throws {
        var query = NetworkQuery()
        var step = query.begin()
        for attempt in 1..<NetworkQuery.maximumAttempts {
            #expect(step == .request(.links, sequence: UInt32(attempt)))
            #expect(query.receiveOverrun() == .read)
            step = try query.receive(Bytes.done(UInt32(attempt))[...])
        }
        let last = UInt32(NetworkQuery.maximumAttempts)
        let overrun = Bytes.message(Netlink.MessageType.overrun, sequence: last) + Bytes.done(last)
        #expect(throws: NetlinkError.inconsistent) { try query.receive(overrun[...]) }
    }

    @Test(arguments: [Netlink.MessageType.error, Netlink.MessageType.done])
    func aRefusalThrowsItsErrorNumber(type: UInt16) {
        for (number, expected) in [(Int32(-1), Int32(1)), (-16, 16), (.min, .max)] {
            var query = NetworkQuery()
            _ = query.begin()
            let bytes = Bytes.message(type, sequence: 1, Bytes.number(number))
            #expect(throws: NetlinkError.refused(expected)) { try query.receive(bytes[...]) }
        }
    }

    @Test func anAcknowledgementIsNotARefusal() throws {
        var query = NetworkQuery()
        _ = query.begin()
        let bytes = Bytes.message(Netlink.MessageType.error, sequence: 1, Bytes.number(Int32(0)))
        #expect(try query.receive(bytes[...]) == .read)
        let empty = Bytes.message(Netlink.MessageType.error, sequence: 1)
        #expect(throws: NetlinkError.malformed) { try query.receive(empty[...]) }
        #expect(
            try query.receive(Bytes.message(Netlink.MessageType.done, sequence: 1)[...])
                == .request(.routes, sequence: 2)
        )
    }

    @Test func aRequestIsOneCompleteMessage() throws {
        for (table, type) in [
            (NetworkQuery.Table.links, Netlink.MessageType.getLink),
            (.routes, Netlink.MessageType.getRoute),
        ] {
            var parser = NetlinkMessageParser(table.request(sequence: 9)[...])
            let message = try #require(try parser.next())
            #expect(message.type == type)
            #expect(message.flags == 0x301)
            #expect(message.sequence == 9)
            #expect(message.payload.allSatisfy { $0 == 0 })
            #expect(try parser.next() == nil)
        }
    }
}
