// SPDX-License-Identifier: Apache-2.0

/// The division of a file's missing bytes among its connections.
///
/// A value without files and requests, so that tests need neither. Each connection fetches one
/// range from its beginning. A further one takes the largest range that has none or, without such a
/// range, the second half of the bytes that another connection has left.
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
        /// The end of its range, which decreases when another connection takes a part.
        var end: Int64
        /// The end of the response.
        var requestedEnd: Int64

        var left: Int64 { end - claimed }
    }

    /// The size of the file; `Int64.max` if it is unknown.
    private(set) var size: Int64
    private var finished: RangeSet
    private var connections: [Int: Connection] = [:]
    private var nextNumber = 0

    /// Creates a plan without connections.
    ///
    /// - Parameters:
    ///   - kept: The ranges that are on disk.
    ///   - size: The size of the file; nil if it is unknown.
    init(keeping kept: RangeSet, size: Int64?) {
        finished = kept
        self.size = size ?? .max
    }

    /// The ranges on disk, including those of the connections.
    var kept: RangeSet {
        var kept = finished
        for connection in connections.values { kept.insert(connection.start..<connection.written) }
        return kept
    }

    /// Whether all bytes are on disk.
    var isComplete: Bool { kept.count == size }

    /// Returns the end of the bytes that a connection has written; nil after its end.
    func written(by number: Int) -> Int64? { connections[number]?.written }

    /// Returns the first byte of a connection's range; nil after its end.
    func start(of number: Int) -> Int64? { connections[number]?.start }

    /// Begins the first connection, which fetches the first missing range, or the file's end.
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

    /// Begins a further connection; nil if no missing range is worth it.
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

    /// Returns the offset at which a connection writes its next bytes, and how many of them.
    ///
    /// The others belong to another connection, or to none.
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
    /// At the end of its response a connection is left alone, so that a later request can use it.
    func isSurplus(_ number: Int) -> Bool {
        guard let connection = connections[number] else { return true }
        return connection.claimed == connection.end && connection.end < connection.requestedEnd
    }

    /// Ends a connection; other connections fetch the rest of its range.
    ///
    /// Without a byte, its range goes back to the connection from which it was taken, whose
    /// response still has it. So a server that refuses a further connection needs no other request.
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
