// SPDX-License-Identifier: Apache-2.0

/// The division of a file's missing bytes among its connections.
///
/// A plan is a value without files and requests, so that tests need neither. Each connection
/// fetches one range from the first byte of the range. A further connection takes the largest range
/// without a connection. Without such a range, a further connection takes the second half of the
/// bytes that another connection has left.
struct ConnectionPlan: Hashable, Sendable {
    /// The range that a connection requests.
    struct Assignment: Hashable, Sendable {
        let connection: Int
        let range: Range<Int64>
    }

    /// The number of bytes below which no range is divided.
    static let leastDivided: Int64 = 512 << 10

    private struct Connection: Hashable {
        let start: Int64
        var written: Int64
        /// The end of the bytes that are written or being written.
        var claimed: Int64
        /// The end of the range, which decreases when another connection takes a part.
        var end: Int64
        /// The end of the response.
        var requestedEnd: Int64

        var left: Int64 { end - claimed }
    }

    /// The size of the file, or `Int64.max` if the size is unknown.
    private(set) var size: Int64
    private var finished: RangeSet
    private var connections: [Int: Connection] = [:]
    private var nextNumber = 0

    /// Creates a plan without connections.
    ///
    /// - Parameters:
    ///   - kept: The ranges that are on disk.
    ///   - size: The size of the file, or nil if the size is unknown.
    init(keeping kept: RangeSet, size: Int64?) {
        finished = kept
        self.size = size ?? .max
    }

    /// The ranges on disk, including the written ranges of the connections.
    var kept: RangeSet {
        var kept = finished
        for connection in connections.values { kept.insert(connection.start..<connection.written) }
        return kept
    }

    /// Whether all bytes are on disk.
    var isComplete: Bool { kept.count == size }

    /// Returns the end of the bytes that a connection has written, or nil after the connection has
    /// ended.
    func written(by number: Int) -> Int64? { connections[number]?.written }

    /// Returns the first byte of a connection's range, or nil after the connection has ended.
    func start(of number: Int) -> Int64? { connections[number]?.start }

    /// Starts the first connection.
    ///
    /// The connection fetches the first missing range, or an empty range at the end of a complete
    /// file.
    mutating func beginFirst() -> Assignment {
        let range = kept.gaps(in: size).first ?? size..<size
        return begin(range)
    }

    /// Limits the plan to the announced size, which was unknown or not yet in force.
    mutating func limit(to size: Int64) {
        self.size = size
        for (number, var connection) in connections {
            // A server may send more bytes than it has announced.
            connection.end = max(connection.claimed, min(connection.end, size))
            connection.requestedEnd = size
            connections[number] = connection
        }
    }

    /// Starts a further connection.
    ///
    /// The result is nil if no missing range justifies a connection.
    mutating func beginNext() -> Assignment? {
        var assigned = finished
        for connection in connections.values { assigned.insert(connection.start..<connection.end) }
        if let free = assigned.gaps(in: size).max(by: { $0.count < $1.count }) {
            return begin(free)
        }
        let largest = connections.max { $0.value.left < $1.value.left }
        guard let (number, connection) = largest, connection.left >= Self.leastDivided else {
            return nil
        }
        let middle = connection.end - connection.left / 2
        connections[number]?.end = middle
        return begin(middle..<connection.end)
    }

    private mutating func begin(_ range: Range<Int64>) -> Assignment {
        let number = nextNumber
        nextNumber += 1
        connections[number] = Connection(
            start: range.lowerBound,
            written: range.lowerBound,
            claimed: range.lowerBound,
            end: range.upperBound,
            requestedEnd: range.upperBound
        )
        return Assignment(connection: number, range: range)
    }

    /// Returns the range of the file into which a connection may write the next `count` bytes.
    ///
    /// The range may be shorter. The remaining bytes belong to another connection or to no
    /// connection.
    mutating func claim(_ count: Int, by number: Int) -> Range<Int64> {
        guard let connection = connections[number] else { return 0..<0 }
        let count = max(0, min(Int64(count), connection.end - connection.claimed))
        connections[number]?.claimed += count
        return connection.claimed..<connection.claimed + count
    }

    /// Records that claimed bytes are written.
    mutating func confirm(_ count: Int64, by number: Int) {
        connections[number]?.written += count
    }

    /// Returns whether a connection needs no further byte of its response.
    ///
    /// A connection at the end of a response stays open, so that a later request can use the
    /// connection.
    func isSurplus(_ number: Int) -> Bool {
        guard let connection = connections[number] else { return true }
        return connection.claimed == connection.end && connection.end < connection.requestedEnd
    }

    /// Ends a connection.
    ///
    /// Other connections fetch the rest of the range.
    ///
    /// A range without a received byte goes back to the connection from which the range was taken,
    /// because the response of that connection still includes the range. After a server refuses a
    /// further connection, no other request is therefore necessary.
    mutating func end(_ number: Int) {
        guard let ended = connections.removeValue(forKey: number) else { return }
        finished.insert(ended.start..<ended.written)
        guard ended.written == ended.start else { return }
        let giver = connections.first { _, other in
            other.end == ended.start && other.requestedEnd >= ended.end
        }
        if let giver { connections[giver.key]?.end = ended.end }
    }
}
