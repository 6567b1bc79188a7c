// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsSQLite

/// The position of one subscription in a stream.
struct Cursor: Hashable, Sendable {
    /// The name of the stream.
    let stream: String
    /// The incarnation of the stream.
    let incarnation: String
    /// The last frame that was handled.
    let sequence: UInt64
    /// The id and the time of the last handled frame, or an empty string without such a frame.
    ///
    /// Both reveal a stream that went back and grew again.
    let id: String
}

/// A received message whose handlers failed, or that waits behind a message with the same key.
struct ParkedMessage: Hashable, Sendable {
    let number: Int
    let subscription: String
    let id: String
    let attempts: Int
    let cause: String
    let stored: StoredFrame
}

extension BridgeStorage {
    /// Whether a message was handled, parked or forwarded before.
    func hasSeen(_ id: String) throws(BridgeError) -> Bool {
        try use { (connection) throws(SQLiteError) in try hasSeen(id, in: connection) }
    }

    func hasSeen(_ id: String, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try !connection.rows("SELECT 1 AS found FROM seen WHERE id = ?", .text(id)) {
            row throws(SQLiteError) in try row.int("found")
        }.isEmpty
    }

    /// Remembers a message that was handled.
    ///
    /// The change is not synced, as for a cursor, so a power cut may bring a repeat.
    func remember(_ id: String) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try connection.unsyncedTransaction { () throws(SQLiteError) in
                _ = try remember(id, in: connection)
            }
        }
    }

    /// Remembers an id inside the caller's transaction.
    ///
    /// - Returns: False if the id was remembered before.
    func remember(_ id: String, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.execute("INSERT OR IGNORE INTO seen (id) VALUES (?)", .text(id))
        guard connection.changes > 0 else { return false }
        let oldest = connection.lastInsertedRow - limits.rememberedIDs
        if oldest > 0 {
            try connection.execute("DELETE FROM seen WHERE number <= ?", .integer(oldest))
        }
        return true
    }

    /// Returns the stored position of a subscription.
    func cursor(of subscription: String) throws(BridgeError) -> Cursor? {
        let sql = "SELECT stream, incarnation, sequence, id FROM cursors WHERE subscription = ?"
        return try use { (connection) throws(SQLiteError) in
            try connection.rows(sql, .text(subscription)) { row throws(SQLiteError) in
                Cursor(
                    stream: try row.text("stream"),
                    incarnation: try row.text("incarnation"),
                    sequence: UInt64(clamping: try row.int("sequence")),
                    id: try row.text("id")
                )
            }.first
        }
    }

    /// Moves a cursor and remembers the id in one transaction.
    ///
    /// The change is not synced. A power cut may undo both steps together, which repeats messages
    /// and loses none.
    func settle(
        _ id: String?,
        of subscription: String,
        at cursor: Cursor
    ) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try connection.unsyncedTransaction { () throws(SQLiteError) in
                if let id { _ = try remember(id, in: connection) }
                try move(subscription, to: cursor, in: connection)
            }
        }
    }

    /// Keeps a message for another attempt, and moves the cursor past the message in one
    /// transaction.
    func park(
        _ stored: StoredFrame,
        id: String,
        of subscription: String,
        lane: String,
        attempts: Int,
        cause: String,
        at cursor: Cursor?
    ) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try connection.unsyncedTransaction { () throws(SQLiteError) in
                _ = try remember(id, in: connection)
                try connection.execute(
                    """
                    INSERT OR REPLACE INTO parked
                    (subscription, id, lane, attempts, cause, stored, subject, headers, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    values: [
                        .text(subscription), .text(id), .text(lane), .integer(attempts),
                        .text(cause), .integer(Self.milliseconds(stored.time)),
                    ] + Self.columns(stored.frame)
                )
                if let cursor { try move(subscription, to: cursor, in: connection) }
            }
        }
    }

    /// Whether a message of this lane waits.
    func isParked(_ lane: String, of subscription: String) throws(BridgeError) -> Bool {
        let sql = "SELECT 1 AS found FROM parked WHERE subscription = ? AND lane = ? LIMIT 1"
        return try use { (connection) throws(SQLiteError) in
            try !connection.rows(sql, .text(subscription), .text(lane)) {
                row throws(SQLiteError) in try row.int("found")
            }.isEmpty
        }
    }

    func parkedCount() throws(BridgeError) -> Int {
        try use { (connection) throws(SQLiteError) in
            try connection.rows("SELECT count(*) AS count FROM parked") {
                row throws(SQLiteError) in try row.int("count")
            }.first ?? 0
        }
    }

    /// Returns all parked messages, or the first message of each lane, in the order of their age.
    func parked(
        of subscription: String,
        firstOfEachLane: Bool,
        limit: Int
    ) throws(BridgeError) -> [ParkedMessage] {
        let condition =
            firstOfEachLane
            ? "number IN (SELECT min(number) FROM parked WHERE subscription = ?1 GROUP BY lane)"
            : "subscription = ?1"
        let sql = "SELECT * FROM parked WHERE \(condition) ORDER BY number LIMIT ?2"
        return try use { (connection) throws(SQLiteError) in
            try connection.rows(sql, .text(subscription), .integer(limit)) {
                row throws(SQLiteError) in
                ParkedMessage(
                    number: try row.int("number"),
                    subscription: try row.text("subscription"),
                    id: try row.text("id"),
                    attempts: try row.int("attempts"),
                    cause: try row.text("cause"),
                    stored: StoredFrame(
                        sequence: 0,
                        time: Self.date(try row.int("stored")),
                        frame: try Self.frame(row)
                    )
                )
            }
        }
    }

    /// Counts a failed attempt of a parked message.
    func failParked(_ number: Int, attempts: Int, cause: String) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try connection.execute(
                "UPDATE parked SET attempts = ?, cause = ? WHERE number = ?",
                .integer(attempts),
                .text(cause),
                .integer(number)
            )
        }
    }

    /// Removes a parked message that was handled.
    func removeParked(_ number: Int) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try connection.execute("DELETE FROM parked WHERE number = ?", .integer(number))
        }
    }

    func move(
        _ subscription: String,
        to cursor: Cursor,
        in connection: SQLiteConnection
    ) throws(SQLiteError) {
        try connection.execute(
            """
            INSERT OR REPLACE INTO cursors (subscription, stream, incarnation, sequence, id)
            VALUES (?, ?, ?, ?, ?)
            """,
            .text(subscription),
            .text(cursor.stream),
            .text(cursor.incarnation),
            .integer(Int(clamping: cursor.sequence)),
            .text(cursor.id)
        )
    }

    static func columns(_ frame: BridgeFrame) -> [SQLiteValue?] {
        [
            .text(frame.subject), .text(frame.headers.withoutLineBreaks.lines), .blob(frame.body),
        ]
    }

    static func frame(_ row: SQLiteRow) throws(SQLiteError) -> BridgeFrame {
        BridgeFrame(
            subject: try row.text("subject"),
            headers: FrameHeaders(lines: try row.text("headers")),
            body: try row.blob("body")
        )
    }
}
