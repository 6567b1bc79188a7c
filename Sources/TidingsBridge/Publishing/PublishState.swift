// SPDX-License-Identifier: Apache-2.0

/// The rows of the outbox that are on their way, over one connection after another.
///
/// Rows go out in their order, and the rows of one lane go out one after another. The server may
/// refuse a row for a while and accept the next row, which must not swap two rows of a key.
///
/// A risk for the order, such as a missing acknowledgement or a refusal that may pass, ends the
/// connection. The next connection starts with the lowest row without an acknowledgement.
struct PublishState: Sendable {
    /// The effect of one batch of acknowledgements on the outbox.
    struct Settlement: Equatable {
        /// The rows to remove, with their sequences.
        var accepted: [Int: UInt64] = [:]
        /// The rows to remove because the stream no longer needs them.
        var superseded: [Int: TransportError] = [:]
        /// The rows that become dead letters.
        var refused: [Int: TransportError] = [:]
        /// The reason to end this connection.
        var fault: TransportError?
    }

    /// The largest number of rows without an acknowledgement.
    let window: Int
    /// How long an acknowledgement may take.
    let deadline: Duration
    /// Whether faults of the connection, rather than its absence, keep rows in the outbox.
    private(set) var isStalled = false
    /// The last row that this connection sent, or 0 at the start.
    private(set) var lastSent = 0
    /// When each row was sent, in the order of the rows.
    private var sendTimes: [(row: Int, time: Duration)] = []
    private var head = 0
    private var inFlight: Set<Int> = []
    /// The lanes of the rows in flight, for rows with a lane.
    private var lanes: [Int: String] = [:]
    /// The rows, in order, that wait for another row of their lane.
    ///
    /// A lane has an entry while a row of the lane is in flight or held.
    private var held: [String: [Int]] = [:]
    private var heldCount = 0
    /// The lanes with held rows and without a row in flight.
    private var freed: Set<String> = []
    /// The settled rows that are still in the outbox.
    private(set) var unremoved: Set<Int> = []

    init(window: Int, deadline: Duration) {
        self.window = window
        self.deadline = deadline
    }

    /// The number of rows without an acknowledgement.
    var inFlightCount: Int { inFlight.count }

    /// Returns the settled rows to remove now.
    ///
    /// While more rows are on their way, many rows are removed in one step, because each removal
    /// costs a commit.
    ///
    /// - Parameter isFilling: Whether the outbox needs the room of each row, as a few large rows
    ///   may fill the outbox.
    /// - Returns: All settled rows or none.
    func removable(whileFilling isFilling: Bool) -> Set<Int> {
        isFilling || inFlight.isEmpty || unremoved.count >= min(window / 4, 128) ? unremoved : []
    }

    /// The number of rows that may be sent now.
    var room: Int { max(window - inFlight.count, 0) }

    /// The number of rows that may be loaded now.
    ///
    /// No rows are loaded while most of the window is full, because one load of many rows costs
    /// less.
    var loadRoom: Int { heldCount < window && room > window / 8 ? room : 0 }

    /// Returns the held rows that may be sent now, up to a limit.
    func ready(atMost limit: Int) -> [Int] {
        freed.prefix(min(room, limit)).compactMap { held[$0]?.first }.sorted()
    }

    /// Starts with a new connection, at the lowest row.
    mutating func connect() {
        lastSent = 0
        sendTimes = []
        head = 0
        inFlight = []
        lanes = [:]
        held = [:]
        heldCount = 0
        freed = []
    }

    /// Returns the loaded rows that must be sent, and counts these rows as sent.
    ///
    /// - Parameters:
    ///   - rows: Ready rows, or the rows after `lastSent` in order. A row after `lastSent` is held
    ///     if another row of its lane is in flight.
    ///   - rowLanes: The lanes of the rows with a lane.
    ///   - now: The time.
    /// - Returns: The rows to send.
    mutating func send(
        _ rows: [Int],
        lanes rowLanes: [Int: String] = [:],
        at now: Duration
    ) -> [Int] {
        let sent = rows.filter { row in
            let isReady = row <= lastSent
            lastSent = max(lastSent, row)
            if unremoved.contains(row) { return false }
            guard let lane = rowLanes[row] else { return true }
            if isReady {
                held[lane]?.removeFirst()
                heldCount -= 1
                freed.remove(lane)
            } else if held[lane] != nil {
                held[lane]?.append(row)
                heldCount += 1
                return false
            } else {
                held[lane] = []
            }
            lanes[row] = lane
            return true
        }
        sendTimes += sent.map { ($0, now) }
        inFlight.formUnion(sent)
        return sent
    }

    private mutating func land(_ row: Int) {
        inFlight.remove(row)
        guard let lane = lanes.removeValue(forKey: row) else { return }
        if held[lane]?.isEmpty ?? true {
            held[lane] = nil
        } else {
            freed.insert(lane)
        }
    }

    /// Takes acknowledgements, and ignores acknowledgements of unknown rows.
    mutating func receive(_ acknowledgements: [PublishAcknowledgement]) -> Settlement {
        var settlement = Settlement()
        for acknowledgement in acknowledgements {
            guard inFlight.contains(acknowledgement.row) else { continue }
            switch acknowledgement.outcome {
            case .accepted(let sequence, _):
                land(acknowledgement.row)
                settlement.accepted[acknowledgement.row] = sequence
                unremoved.insert(acknowledgement.row)
                isStalled = false
            case .refused(let error) where error.code == .superseded:
                land(acknowledgement.row)
                settlement.superseded[acknowledgement.row] = error
                unremoved.insert(acknowledgement.row)
                isStalled = false
            case .refused(let error) where error.isPermanent:
                land(acknowledgement.row)
                settlement.refused[acknowledgement.row] = error
            case .refused(let error):
                isStalled = true
                settlement.fault = settlement.fault ?? error
            }
        }
        while head < sendTimes.count, !inFlight.contains(sendTimes[head].row) { head += 1 }
        if head > 1_024, head * 2 > sendTimes.count {
            sendTimes.removeFirst(head)
            head = 0
        }
        return settlement
    }

    /// Forgets rows that the outbox has removed.
    mutating func remove(_ rows: some Sequence<Int>) {
        unremoved.subtract(rows)
    }

    /// When the oldest missing acknowledgement is overdue, or nil if none is missing.
    var nextDeadline: Duration? {
        guard head < sendTimes.count else { return nil }
        return sendTimes[head].time + deadline
    }

    /// Returns the reason to end the connection if an acknowledgement is overdue.
    mutating func check(at now: Duration) -> TransportError? {
        guard let end = nextDeadline, now >= end else { return nil }
        isStalled = true
        return TransportError(
            .overdue,
            "The server has not acknowledged row \(sendTimes[head].row) within \(deadline). Check "
                + "the space on its disk and its load."
        )
    }
}
