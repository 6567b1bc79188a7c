// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The conversation in which the kernel tells its tables: what to ask next, from what it said.
///
/// ```swift
/// var dump = NetworkDump()
/// var step = dump.begin()
/// ```
struct NetworkDump {
    /// A table to ask for.
    enum Question: Hashable {
        case links
        case routes
    }

    /// What to do next.
    enum Step: Hashable {
        case ask(Question, sequence: UInt32)
        case read
        case finished(Connectivity)
    }

    /// How often tables that change meanwhile are asked for.
    static let rounds = 5

    private var question = Question.links
    private var sequence: UInt32 = 0
    private var table = NetworkTable()
    private var isTorn = false
    private var round = 1

    /// Begins with the interfaces.
    mutating func begin() -> Step { ask(.links) }

    /// Takes what came; other messages than answers to the last question are passed over.
    mutating func receive(_ datagram: ArraySlice<UInt8>) throws(NetlinkError) -> Step {
        var reader = NetlinkReader(datagram)
        while let message = try reader.next() {
            guard message.sequence == sequence else { continue }
            if message.flags & Netlink.Flag.dumpInterrupted != 0 { isTorn = true }
            switch message.type {
            case Netlink.Kind.error:
                try refuse(message)
            case Netlink.Kind.overrun:
                isTorn = true
            case Netlink.Kind.done:
                try refuse(message)
                return try next()
            default:
                try add(message)
            }
        }
        return .read
    }

    /// Takes note that something was lost: what is known by the end is not all.
    mutating func receiveOverrun() -> Step {
        isTorn = true
        return .read
    }

    private mutating func ask(_ question: Question) -> Step {
        self.question = question
        sequence &+= 1
        return .ask(question, sequence: sequence)
    }

    private mutating func next() throws(NetlinkError) -> Step {
        if isTorn {
            guard round < Self.rounds else { throw .changing }
            round += 1
            isTorn = false
            table = NetworkTable()
            return ask(.links)
        }
        switch question {
        case .links: return ask(.routes)
        case .routes: return .finished(table.connectivity)
        }
    }

    private mutating func add(_ message: NetlinkMessage) throws(NetlinkError) {
        // Deletions are news, never answers.
        switch (question, message.type) {
        case (.links, Netlink.Kind.newLink), (.routes, Netlink.Kind.newRoute): break
        default: return
        }
        switch try NetworkRecord(message) {
        case .link(let link): table.add(link)
        case .route(let route): table.add(route)
        case .address, .other: break
        }
    }

    /// Throws unless the message says that all went well.
    private func refuse(_ message: NetlinkMessage) throws(NetlinkError) {
        guard let number = message.payload.number(Int32.self, at: 0) else {
            // The end of a dump need not say more.
            if message.type == Netlink.Kind.error { throw .malformed }
            return
        }
        guard number >= 0 else { throw .refused(number == .min ? .max : -number) }
    }
}

extension NetworkDump.Question {
    /// The question as the kernel reads it.
    func request(sequence: UInt32) -> [UInt8] {
        let (type, length) =
            switch self {
            case .links: (Netlink.Kind.getLink, Netlink.linkLength)
            case .routes: (Netlink.Kind.getRoute, Netlink.routeLength)
            }
        var bytes: [UInt8] = []
        bytes.append(number: UInt32(Netlink.headerLength + length))
        bytes.append(number: type)
        bytes.append(number: Netlink.Flag.request | Netlink.Flag.dump)
        bytes.append(number: sequence)
        // From whom: the kernel fills that in. Then a pattern without any condition.
        bytes.append(contentsOf: repeatElement(0, count: 4 + length))
        return bytes
    }
}
