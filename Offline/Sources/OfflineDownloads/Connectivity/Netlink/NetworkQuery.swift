// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Computes the connectivity from dumps of the kernel's link and route tables.
///
/// The query performs no input or output. The caller executes each step and passes the replies to
/// `receive(_:)`.
///
/// ```swift
/// var query = NetworkQuery()
/// var step = query.begin()
/// ```
struct NetworkQuery {
    /// A table of the kernel.
    enum Table: Hashable {
        case links
        case routes
    }

    /// The caller's next action.
    enum Step: Hashable {
        /// Send the request for a table.
        case request(Table, sequence: UInt32)
        /// Read the next datagram.
        case read
        /// Stop, because the connectivity is known.
        case finished(Connectivity)
    }

    /// The largest number of attempts to read both tables without a change in between.
    static let maximumAttempts = 5

    private var table = Table.links
    private var sequence: UInt32 = 0
    private var snapshot = NetworkSnapshot()
    private var isInconsistent = false
    private var attempt = 1

    /// Returns the first step.
    mutating func begin() -> Step { request(.links) }

    /// Processes a datagram and ignores messages that do not answer the last request.
    mutating func receive(_ datagram: ArraySlice<UInt8>) throws(NetlinkError) -> Step {
        var reader = NetlinkMessageParser(datagram)
        while let message = try reader.next() {
            guard message.sequence == sequence else { continue }
            if message.flags & Netlink.Flag.dumpInterrupted != 0 { isInconsistent = true }
            switch message.type {
            case Netlink.MessageType.error:
                try checkStatus(message)
            case Netlink.MessageType.overrun:
                isInconsistent = true
            case Netlink.MessageType.done:
                try checkStatus(message)
                return try next()
            default:
                try add(message)
            }
        }
        return .read
    }

    /// Records that the socket lost messages.
    ///
    /// The query then starts over at the end of the dump.
    mutating func receiveOverrun() -> Step {
        isInconsistent = true
        return .read
    }

    private mutating func request(_ table: Table) -> Step {
        self.table = table
        sequence &+= 1
        return .request(table, sequence: sequence)
    }

    private mutating func next() throws(NetlinkError) -> Step {
        if isInconsistent {
            guard attempt < Self.maximumAttempts else { throw .inconsistent }
            attempt += 1
            isInconsistent = false
            snapshot = NetworkSnapshot()
            return request(.links)
        }
        switch table {
        case .links: return request(.routes)
        case .routes: return .finished(snapshot.connectivity)
        }
    }

    private mutating func add(_ message: NetlinkMessage) throws(NetlinkError) {
        // A dump contains no deletions. Only notifications contain deletions.
        switch (table, message.type) {
        case (.links, Netlink.MessageType.newLink), (.routes, Netlink.MessageType.newRoute): break
        default: return
        }
        switch try NetworkRecord(message) {
        case .link(let link): snapshot.add(link)
        case .route(let route): snapshot.add(route)
        case .address, .other: break
        }
    }

    /// Throws if the message carries an error number.
    private func checkStatus(_ message: NetlinkMessage) throws(NetlinkError) {
        guard let number = message.payload.number(Int32.self, at: 0) else {
            // The status is optional at the end of a dump.
            if message.type == Netlink.MessageType.error { throw .malformed }
            return
        }
        guard number >= 0 else { throw .refused(number == .min ? .max : -number) }
    }
}

extension NetworkQuery.Table {
    /// Returns the encoded request for a dump of the table.
    func request(sequence: UInt32) -> [UInt8] {
        let (type, length) =
            switch self {
            case .links: (Netlink.MessageType.getLink, Netlink.linkLength)
            case .routes: (Netlink.MessageType.getRoute, Netlink.routeLength)
            }
        var bytes: [UInt8] = []
        bytes.append(number: UInt32(Netlink.headerLength + length))
        bytes.append(number: type)
        bytes.append(number: Netlink.Flag.request | Netlink.Flag.dump)
        bytes.append(number: sequence)
        // The first number is the sender's port, which the kernel fills in. The zeros behind the
        // port are a filter that matches every entry.
        bytes.append(contentsOf: repeatElement(0, count: 4 + length))
        return bytes
    }
}
