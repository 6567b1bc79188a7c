// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct NetworkDumpTests {
    private typealias Bytes = NetlinkBytes

    /// The end of a conversation in which the kernel has these links and routes.
    private func connectivity(_ links: [[UInt8]], _ routes: [[UInt8]]) throws -> Connectivity? {
        var dump = NetworkDump()
        var step = dump.begin()
        var told: [NetworkDump.Question] = []
        while case .ask(let question, let sequence) = step {
            told.append(question)
            let messages = question == .links ? links : routes
            for message in messages {
                #expect(try dump.receive(Self.numbered(message, sequence)[...]) == .read)
            }
            step = try dump.receive(Bytes.done(sequence)[...])
        }
        #expect(told == [.links, .routes])
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
        #expect(try connectivity(links, [Bytes.route(Bytes.over(2))]) == .online)
        #expect(try connectivity(links, [Bytes.route(family: 10, Bytes.over(2))]) == .online)
    }

    @Test func everythingElseIsOffline() throws {
        let loopback = Bytes.link(1, Bytes.loopback)
        let working = Bytes.link(2, Bytes.working)
        let unplugged = Bytes.link(2, Bytes.unplugged)
        let route = Bytes.route(Bytes.over(2))
        #expect(try connectivity([], []) == .offline)
        #expect(try connectivity([loopback], []) == .offline)
        #expect(try connectivity([loopback], [Bytes.route(Bytes.over(1))]) == .offline)
        #expect(try connectivity([loopback, unplugged], [route]) == .offline)
        #expect(try connectivity([loopback, working], []) == .offline)
        #expect(try connectivity([loopback, working], [Bytes.route(Bytes.over(3))]) == .offline)
        #expect(
            try connectivity([working], [Bytes.route(prefix: 24, Bytes.over(2))]) == .offline
        )
        #expect(try connectivity([working], [Bytes.route(type: 7, Bytes.over(2))]) == .offline)
    }

    @Test func oneOfSeveralWaysIsEnough() throws {
        let links = [Bytes.link(2, Bytes.unplugged), Bytes.link(3, Bytes.working)]
        let routes = [Bytes.route(Bytes.over(2)), Bytes.route(Bytes.over(3))]
        #expect(try connectivity(links, routes) == .online)
        let hops = Bytes.nextHop(2) + Bytes.nextHop(3)
        let multipath = Bytes.attribute(Netlink.Attribute.multipath, hops)
        #expect(try connectivity(links, [Bytes.route(multipath)]) == .online)
    }

    @Test func anIndirectRouteTakesAnyInterfaceThatLeadsOut() throws {
        let route = Bytes.route(Bytes.attribute(Netlink.Attribute.nextHopObject, [9, 0, 0, 0]))
        #expect(try connectivity([Bytes.link(2, Bytes.working)], [route]) == .online)
        #expect(try connectivity([Bytes.link(2, Bytes.unplugged)], [route]) == .offline)
    }

    @Test func answersToOtherQuestionsArePassedOver() throws {
        var dump = NetworkDump()
        _ = dump.begin()
        #expect(try dump.receive(Bytes.done(7)[...]) == .read)
        #expect(try dump.receive(Bytes.message(Netlink.Kind.error, sequence: 7)[...]) == .read)
        #expect(try dump.receive(Bytes.message(9_999, sequence: 1, [1, 2])[...]) == .read)
        #expect(try dump.receive([]) == .read)
        // A deletion is no answer, nor is a route to the question for links.
        let others =
            Bytes.link(2, Bytes.working, sequence: 1, type: Netlink.Kind.deletedLink)
            + Bytes.route(sequence: 1, Bytes.over(2))
        #expect(try dump.receive(others[...]) == .read)
        #expect(try dump.receive(Bytes.done(1)[...]) == .ask(.routes, sequence: 2))
        #expect(try dump.receive(Bytes.route(sequence: 2, Bytes.over(2))[...]) == .read)
        #expect(try dump.receive(Bytes.done(2)[...]) == .finished(.offline))
    }

    @Test func aTableThatChangedMeanwhileIsAskedForAgain() throws {
        var dump = NetworkDump()
        _ = dump.begin()
        let link = Bytes.link(2, Bytes.working)
        _ = try dump.receive(
            Self.numbered(link, 1, flags: Netlink.Flag.dumpInterrupted)[...]
        )
        #expect(try dump.receive(Bytes.done(1)[...]) == .ask(.links, sequence: 2))
        #expect(try dump.receive(Bytes.done(2)[...]) == .ask(.routes, sequence: 3))
        _ = try dump.receive(Bytes.route(sequence: 3, Bytes.over(2))[...])
        // The link of the first round does not count.
        #expect(try dump.receive(Bytes.done(3)[...]) == .finished(.offline))
    }

    @Test func whatWasLostIsAskedForAgainButNotForEver() throws {
        var dump = NetworkDump()
        var step = dump.begin()
        for round in 1..<NetworkDump.rounds {
            #expect(step == .ask(.links, sequence: UInt32(round)))
            #expect(dump.receiveOverrun() == .read)
            step = try dump.receive(Bytes.done(UInt32(round))[...])
        }
        let last = UInt32(NetworkDump.rounds)
        let overrun = Bytes.message(Netlink.Kind.overrun, sequence: last) + Bytes.done(last)
        #expect(throws: NetlinkError.changing) { try dump.receive(overrun[...]) }
    }

    @Test(arguments: [Netlink.Kind.error, Netlink.Kind.done])
    func aRefusalIsTold(type: UInt16) {
        for (number, told) in [(Int32(-1), Int32(1)), (-16, 16), (.min, .max)] {
            var dump = NetworkDump()
            _ = dump.begin()
            let bytes = Bytes.message(type, sequence: 1, Bytes.number(number))
            #expect(throws: NetlinkError.refused(told)) { try dump.receive(bytes[...]) }
        }
    }

    @Test func anAcknowledgementIsNoRefusal() throws {
        var dump = NetworkDump()
        _ = dump.begin()
        let bytes = Bytes.message(Netlink.Kind.error, sequence: 1, Bytes.number(Int32(0)))
        #expect(try dump.receive(bytes[...]) == .read)
        let empty = Bytes.message(Netlink.Kind.error, sequence: 1)
        #expect(throws: NetlinkError.malformed) { try dump.receive(empty[...]) }
        #expect(
            try dump.receive(Bytes.message(Netlink.Kind.done, sequence: 1)[...])
                == .ask(.routes, sequence: 2)
        )
    }

    @Test func aQuestionIsAWholeMessageOfItsOwn() throws {
        for (question, type) in [
            (NetworkDump.Question.links, Netlink.Kind.getLink), (.routes, Netlink.Kind.getRoute),
        ] {
            var reader = NetlinkReader(question.request(sequence: 9)[...])
            let message = try #require(try reader.next())
            #expect(message.type == type)
            #expect(message.flags == 0x301)
            #expect(message.sequence == 9)
            #expect(message.payload.allSatisfy { $0 == 0 })
            #expect(try reader.next() == nil)
        }
    }
}
