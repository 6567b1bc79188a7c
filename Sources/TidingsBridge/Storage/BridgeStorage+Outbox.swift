// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

/// A message for the outbox.
struct OutboxDraft: Sendable {
    let subject: String
    let headers: FrameHeaders
    let body: [UInt8]
    /// The id that the inbox remembers for a message of another origin, or nil for an own message.
    var foreignID: String?
    /// Whether the inbox remembers `foreignID`.
    ///
    /// False for work that the group may give to this process.
    var remembersForeignID = true
    /// The answer that the server's acknowledgement settles.
    var answer: Answer<Receipt.Acceptance>?

    /// The size for the quota: the bytes of the message and about the cost of the row.
    var size: Int {
        let headers = headers.fields.reduce(0) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + 4
        }
        return subject.utf8.count + headers + body.count + 64
    }
}

/// A message of the outbox.
struct OutboxRow: Hashable, Sendable {
    let row: Int
    let posted: Date
    let frame: BridgeFrame
}

/// The drafts of one caller, which are committed together with the drafts of other callers.
final class OutboxTicket: Sendable {
    let drafts: [OutboxDraft]
    let result = Lock<Result<[Int], BridgeError>?>(nil)
    /// Signalled when the ticket is settled, or when the caller must commit next.
    let turn = DispatchSemaphore(value: 0)

    init(_ drafts: [OutboxDraft]) {
        self.drafts = drafts
    }

    var size: Int { drafts.reduce(0) { $0 + $1.size } }
}

/// The tickets that wait for the next commit.
struct OutboxQueue {
    var tickets: [OutboxTicket] = []
    /// Whether a caller commits, or was woken to commit.
    var hasLeader = false
    /// Whether the last commit had tickets of several callers.
    var isShared = false
}

extension BridgeStorage {
    /// Adds messages to the outbox and returns when they are committed.
    ///
    /// The first caller commits for all waiting callers, so that they share one sync.
    ///
    /// - Returns: The numbers of the new rows, in order. An id that was forwarded before has no new
    ///   row.
    /// - Throws: `full` if the quota or the disk has no room, else `storage`.
    func append(_ drafts: [OutboxDraft]) throws(BridgeError) -> [Int] {
        let ticket = OutboxTicket(drafts)
        let isLeader = waiting.withLock { queue in
            defer { queue.hasLeader = true }
            queue.tickets.append(ticket)
            return !queue.hasLeader
        }
        if !isLeader { ticket.turn.wait() }
        if ticket.result.withLock({ $0 == nil }) {
            gatherTickets()
            commitWaiting(ledBy: ticket)
        }
        guard let result = ticket.result.withLock({ $0 }) else {
            preconditionFailure("A ticket was taken and not settled.")
        }
        return try result.get()
    }

    /// Lets other posting threads add their tickets, as long as each turn brings further tickets.
    ///
    /// A commit costs as much for one ticket as for many. A thread that posts alone does not wait.
    private func gatherTickets() {
        var count = 0
        while true {
            let (found, isShared) = waiting.withLock { ($0.tickets.count, $0.isShared) }
            guard isShared || found > 1, found > count, found < 64 else { return }
            count = found
            sched_yield()
        }
    }

    /// Commits the waiting tickets.
    ///
    /// The caller of a ticket that came during the commit leads the next commit.
    private func commitWaiting(ledBy leader: OutboxTicket) {
        let group = connection.withLock { connection in
            let group = waiting.withLock { queue in
                defer { queue.tickets = [] }
                return queue.tickets
            }
            commit(group, to: connection)
            return group
        }
        let next = waiting.withLock { queue in
            queue.hasLeader = !queue.tickets.isEmpty
            queue.isShared = group.count > 1
            return queue.tickets.first
        }
        for ticket in group where ticket !== leader { ticket.turn.signal() }
        next?.turn.signal()
    }

    private func commit(_ group: [OutboxTicket], to connection: SQLiteConnection) {
        var used = figures.withLock { $0.bytes }
        var accepted: [OutboxTicket] = []
        var refused: [OutboxTicket] = []
        for ticket in group {
            let size = ticket.size
            if used + size > limits.outboxBytes {
                refused.append(ticket)
            } else {
                used += size
                accepted.append(ticket)
            }
        }
        do {
            let rows = accepted.isEmpty ? [] : try write(accepted, to: connection)
            for (ticket, rows) in zip(accepted, rows) {
                // The receipts are added before another thread can read and send the rows.
                for (draft, row) in zip(ticket.drafts, rows) {
                    if let answer = draft.answer { receipts.add(answer, for: row) }
                }
                settle(ticket, .success(rows))
            }
            for ticket in refused { settle(ticket, .failure(quotaReached)) }
        } catch {
            guard group.count > 1 else {
                return settle(group[0], .failure(BridgeError(storage: error)))
            }
            // A ticket that cannot be stored neither fails the rest nor uses their quota.
            for ticket in group { commit([ticket], to: connection) }
        }
    }

    private func write(
        _ tickets: [OutboxTicket],
        to connection: SQLiteConnection
    ) throws(SQLiteError) -> [[Int]] {
        try renewNumbers(in: connection)
        var added = OutboxFigures()
        let write = { () throws(SQLiteError) -> [[Int]] in
            var rows: [[Int]] = []
            for ticket in tickets {
                var own: [Int] = []
                for draft in ticket.drafts {
                    guard try self.insert(draft, into: connection) else { continue }
                    own.append(connection.lastInsertedRow)
                    added.rows += 1
                    added.bytes += draft.size
                }
                rows.append(own)
            }
            return rows
        }
        let rows =
            switch durability {
            case .power: try connection.transaction(write)
            case .process: try connection.unsyncedTransaction(write)
            }
        figures.withLock {
            $0.rows += added.rows
            $0.bytes += added.bytes
        }
        return rows
    }

    /// Moves the row numbers past all numbers that the last process can have used.
    ///
    /// A power cut undoes commits that were not synced, and frees their row numbers. The server has
    /// seen the ids of these rows, and would drop the next messages with the same ids as repeats.
    func renewNumbers(in connection: SQLiteConnection) throws(SQLiteError) {
        guard !hasNewNumbers.withLock({ $0 }) else { return }
        try connection.transaction { () throws(SQLiteError) in
            try connection.execute(
                "UPDATE sqlite_sequence SET seq = seq + 4294967296 WHERE name = 'outbox'"
            )
            guard connection.changes == 0 else { return }
            try connection.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', 4294967296)"
            )
        }
        hasNewNumbers.withLock { $0 = true }
    }

    /// Inserts a row, unless the draft is a message of another origin that was seen before.
    private func insert(
        _ draft: OutboxDraft,
        into connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        if let id = draft.foreignID {
            let isNew =
                try draft.remembersForeignID
                ? remember(id, in: connection) : !hasSeen(id, in: connection)
            guard isNew else { return false }
        }
        try connection.execute(
            "INSERT INTO outbox (subject, headers, body, posted, size) VALUES (?, ?, ?, ?, ?)",
            .text(draft.subject),
            .text(draft.headers.withoutLineBreaks.lines),
            .blob(draft.body),
            .integer(Self.milliseconds(Date())),
            .integer(draft.size)
        )
        return true
    }

    private func settle(_ ticket: OutboxTicket, _ result: Result<[Int], BridgeError>) {
        ticket.result.withLock { $0 = result }
    }

    private var quotaReached: BridgeError {
        BridgeError(
            .full,
            "The outbox has reached its quota of \(limits.outboxBytes) bytes. Restore the "
                + "connection to the server, or raise `BridgeOptions.outboxBytes`."
        )
    }

    /// Adds a message, and blocks the thread while the quota has no room.
    func append(_ draft: OutboxDraft, within limit: Duration) throws(BridgeError) -> [Int] {
        let end = ContinuousClock.now + min(limit, .seconds(86_400))
        while true {
            do throws(BridgeError) {
                return try append([draft])
            } catch {
                guard mayFit(draft, after: error), ContinuousClock.now < end else { throw error }
            }
            let room = DispatchSemaphore(value: 0)
            guard let number = whenThereIsRoom(for: draft.size, { room.signal() }) else { continue }
            let left = (end - ContinuousClock.now) / Duration.nanoseconds(1)
            _ = room.wait(timeout: .now() + .nanoseconds(max(Int(left), 0)))
            roomWaiters.withLock { $0.waiting[number] = nil }
        }
    }

    /// Adds a message, and suspends the task while the quota has no room.
    func appendWaiting(
        _ draft: OutboxDraft,
        within limit: Duration
    ) async throws(BridgeError) -> [Int] {
        let end = ContinuousClock.now + min(limit, .seconds(86_400))
        while true {
            do throws(BridgeError) {
                return try append([draft])
            } catch {
                let mayWait = ContinuousClock.now < end && !Task.isCancelled
                guard mayFit(draft, after: error), mayWait else { throw error }
            }
            let room = Answer<Void>()
            let number = whenThereIsRoom(for: draft.size) { room.settle(.success(())) }
            guard let number else { continue }
            let timer = Task {
                try? await Task.sleep(until: end, clock: .continuous)
                room.settle(.success(()))
            }
            _ = await room.outcome { room.settle(.success(())) }
            timer.cancel()
            roomWaiters.withLock { $0.waiting[number] = nil }
        }
    }

    /// Whether a message that was refused because of the quota can be added later.
    private func mayFit(_ draft: OutboxDraft, after error: BridgeError) -> Bool {
        // The error of a full disk has a cause. Acknowledgements make no room on a full disk.
        error.code == .full && error.cause == nil && draft.size <= limits.outboxBytes
            && !roomWaiters.withLock { $0.isClosed }
    }

    /// Calls `action` once there may be room.
    ///
    /// - Returns: The number of the wait, or nil if there is room now or the storage is closed.
    private func whenThereIsRoom(
        for size: Int,
        _ action: @escaping @Sendable () -> Void
    ) -> Int? {
        roomWaiters.withLock { waiters in
            let hasRoom = figures.withLock { $0.bytes + size <= limits.outboxBytes }
            if hasRoom || waiters.isClosed { return nil }
            waiters.last += 1
            waiters.waiting[waiters.last] = action
            return waiters.last
        }
    }

    /// Returns rows in their order.
    ///
    /// - Parameters:
    ///   - row: The row before the first row to return.
    ///   - limit: The largest number of rows.
    ///   - bytes: The size after which no further row is added.
    /// - Returns: The rows, at least one if the outbox has any further row.
    /// - Throws: `storage`.
    func rows(after row: Int, limit: Int, bytes: Int) throws(BridgeError) -> [OutboxRow] {
        try use { (connection) throws(SQLiteError) in
            // The sizes are read first, because the bodies of some rows may not fit in memory.
            var (last, total) = (row, 0)
            let sizes = try connection.rows(
                "SELECT row, size FROM outbox WHERE row > ? ORDER BY row LIMIT ?",
                .integer(row),
                .integer(limit)
            ) { row throws(SQLiteError) in (row: try row.int("row"), size: try row.int("size")) }
            for entry in sizes {
                // A row that does not fit ends the batch, because the next batch starts behind the
                // last row.
                guard total == 0 || total <= bytes - entry.size else { break }
                (last, total) = (entry.row, total + entry.size)
            }
            return try connection.rows(
                """
                SELECT row, subject, headers, body, posted FROM outbox
                WHERE row > ? AND row <= ? ORDER BY row
                """,
                .integer(row),
                .integer(last)
            ) { row throws(SQLiteError) in try self.outboxRow(row) }
        }
    }

    private func outboxRow(_ row: SQLiteRow) throws(SQLiteError) -> OutboxRow {
        let number = try row.int("row")
        var headers = FrameHeaders(lines: try row.text("headers"))
        if headers.id == nil { headers[.id] = "\(origin)-\(number)" }
        return OutboxRow(
            row: number,
            posted: Self.date(try row.int("posted")),
            frame: BridgeFrame(
                subject: try row.text("subject"),
                headers: headers,
                body: try row.blob("body")
            )
        )
    }

    /// Returns the last row with a subject, or nil if there is none.
    func newestRow(of subject: String) throws(BridgeError) -> Int? {
        let sql = "SELECT row FROM outbox WHERE subject = ? ORDER BY row DESC LIMIT 1"
        return try use { (connection) throws(SQLiteError) in
            try connection.rows(sql, .text(subject)) { row throws(SQLiteError) in
                try row.int("row")
            }.first
        }
    }

    /// Removes rows that the server has acknowledged.
    ///
    /// The removal is not synced. After a power cut, a row may be back and is sent again with the
    /// same id.
    func remove(_ rows: some Collection<Int>) throws(BridgeError) {
        let freed = try use { (connection) throws(SQLiteError) in
            try connection.unsyncedTransaction { () throws(SQLiteError) in
                var freed = OutboxFigures()
                var rest = rows.sorted()[...]
                while let first = rest.popFirst() {
                    var last = first
                    while rest.first == last + 1 { last = rest.removeFirst() }
                    let sizes = try connection.rows(
                        "DELETE FROM outbox WHERE row >= ? AND row <= ? RETURNING size",
                        .integer(first),
                        .integer(last)
                    ) { row throws(SQLiteError) in try row.int("size") }
                    freed.rows += sizes.count
                    freed.bytes += sizes.reduce(0, +)
                }
                return freed
            }
        }
        release(freed)
    }

    func release(_ freed: OutboxFigures) {
        figures.withLock {
            $0.rows -= freed.rows
            $0.bytes -= freed.bytes
        }
        wakeRoomWaiters(isClosed: false)
    }

    func wakeRoomWaiters(isClosed: Bool) {
        let actions = roomWaiters.withLock { waiters in
            defer { waiters.waiting = [:] }
            waiters.isClosed = waiters.isClosed || isClosed
            return Array(waiters.waiting.values)
        }
        for action in actions { action() }
    }

    /// Returns when the oldest row was posted.
    func oldestPost() throws(BridgeError) -> Date? {
        try use { (connection) throws(SQLiteError) in
            try connection.rows("SELECT posted FROM outbox ORDER BY row LIMIT 1") {
                row throws(SQLiteError) in Self.date(try row.int("posted"))
            }.first
        }
    }

    static func milliseconds(_ date: Date) -> Int {
        Int(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? 0
    }

    static func date(_ milliseconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
