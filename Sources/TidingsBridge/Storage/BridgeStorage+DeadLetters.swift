// SPDX-License-Identifier: Apache-2.0
public import Foundation
import TidingsLock
import TidingsSQLite

/// A message that the bridge could not deliver and keeps until you decide.
public struct DeadLetter: Hashable, Sendable {
    /// Where the message was going.
    package enum Direction: Hashable, Sendable {
        /// From this process to the server.
        case outgoing
        /// From the server to the handlers of this process.
        case incoming
    }

    /// The number for ``Bridge/resend(_:)`` and ``Bridge/discard(_:)``.
    public let number: Int
    /// The direction of the message.
    package let direction: Direction
    /// Whether the message came from the server rather than from a post of this process.
    public var isIncoming: Bool { direction == .incoming }
    /// The id of the message.
    public let id: String
    /// Why the message died, for decisions in code.
    public let code: BridgeErrorCode
    /// Why the message died, for people.
    public let cause: String
    /// The number of attempts.
    public let attempts: Int
    /// When the message died.
    public let date: Date
    /// The subject, the headers and the encoded body.
    public let frame: BridgeFrame
    /// The subscription of an incoming message.
    let subscription: String?
    /// When the server stored an incoming message.
    let stored: Date
}

/// The content of a dead letter that has no number yet.
struct Death: Sendable {
    let subscription: String?
    let id: String
    let code: BridgeErrorCode
    let cause: String
    let attempts: Int
    let stored: Date
    let frame: BridgeFrame
}

/// The totals of all dead letters.
struct DeadLetterFigures: Hashable, Sendable {
    var count = 0
    var bytes = 0
    /// The letters that were dropped since the start, because there were too many.
    var dropped = 0

    static func + (left: Self, right: Self) -> Self {
        Self(
            count: left.count + right.count,
            bytes: left.bytes + right.bytes,
            dropped: left.dropped + right.dropped
        )
    }
}

extension BridgeStorage {
    /// Makes an outbox row a dead letter.
    func bury(row: Int, code: BridgeErrorCode, cause: String) throws(BridgeError) {
        guard let found = try rows(after: row - 1, limit: 1, bytes: .max).first, found.row == row
        else { return }
        let death = Death(
            subscription: nil,
            id: found.frame.headers.id ?? "",
            code: code,
            cause: cause,
            attempts: 1,
            stored: found.posted,
            frame: found.frame
        )
        let freed = try use { (connection) throws(SQLiteError) in
            try changeDeadLetters(in: connection) { () throws(SQLiteError) in
                let change = try insert(death, into: connection)
                let sizes = try connection.rows(
                    "DELETE FROM outbox WHERE row = ? RETURNING size",
                    .integer(row)
                ) { row throws(SQLiteError) in try row.int("size") }
                return (change, OutboxFigures(rows: sizes.count, bytes: sizes.reduce(0, +)))
            }
        }
        release(freed)
    }

    /// Makes a received message a dead letter and moves the cursor past the message.
    ///
    /// - Parameters:
    ///   - death: The message.
    ///   - cursor: The position after the message, or nil if the cursor was moved before.
    ///   - parked: The number of the parked message, if the message was parked.
    /// - Throws: `full` or `storage`. Nothing has changed in that case.
    func bury(_ death: Death, at cursor: Cursor?, parked: Int? = nil) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try changeDeadLetters(in: connection) { () throws(SQLiteError) in
                _ = try remember(death.id, in: connection)
                let change = try insert(death, into: connection)
                if let parked {
                    let sql = "DELETE FROM parked WHERE number = ?"
                    try connection.execute(sql, .integer(parked))
                }
                if let cursor, let subscription = death.subscription {
                    try move(subscription, to: cursor, in: connection)
                }
                return (change, ())
            }
        }
    }

    /// Runs a transaction and counts the changes before another transaction can start.
    private func changeDeadLetters<Value>(
        in connection: SQLiteConnection,
        _ body: () throws(SQLiteError) -> (DeadLetterFigures, Value)
    ) throws(SQLiteError) -> Value {
        let (change, value) = try connection.transaction(body)
        letterFigures.withLock { $0 = $0 + change }
        return value
    }

    private static let size = "length(subject) + length(headers) + length(cause) + length(body)"

    static func deadLetterFigures(
        in connection: SQLiteConnection
    ) throws(SQLiteError) -> DeadLetterFigures {
        let sql = "SELECT count(*) AS count, coalesce(sum(\(size)), 0) AS bytes FROM dead"
        let found = try connection.rows(sql) { row throws(SQLiteError) in
            DeadLetterFigures(count: try row.int("count"), bytes: try row.int("bytes"))
        }
        return found.first ?? DeadLetterFigures()
    }

    private func delete(
        _ number: Int,
        from connection: SQLiteConnection
    ) throws(SQLiteError) -> DeadLetterFigures {
        let sizes = try connection.rows(
            "DELETE FROM dead WHERE number = ? RETURNING \(Self.size) AS size",
            .integer(number)
        ) { row throws(SQLiteError) in try row.int("size") }
        return DeadLetterFigures(count: -sizes.count, bytes: -sizes.reduce(0, +))
    }

    /// Inserts a dead letter and drops the oldest ones that exceed the limits.
    private func insert(
        _ death: Death,
        into connection: SQLiteConnection
    ) throws(SQLiteError) -> DeadLetterFigures {
        try connection.execute(
            """
            INSERT INTO dead
            (subscription, id, code, cause, attempts, died, stored, subject, headers, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values: [
                death.subscription.map { .text($0) }, .text(death.id), .text(death.code.rawValue),
                .text(death.cause), .integer(death.attempts),
                .integer(Self.milliseconds(Date())), .integer(Self.milliseconds(death.stored)),
            ] + Self.columns(death.frame)
        )
        let number = connection.lastInsertedRow
        let sizes = try connection.rows(
            "SELECT \(Self.size) AS size FROM dead WHERE number = ?",
            .integer(number)
        ) { row throws(SQLiteError) in try row.int("size") }
        let before = letterFigures.withLock { $0 }
        var change = DeadLetterFigures(count: 1, bytes: sizes.first ?? 0)
        while true {
            let sum = before + change
            guard sum.count > limits.deadLetters || sum.bytes > limits.deadLetterBytes else {
                break
            }
            let oldest = try connection.rows("SELECT min(number) AS number FROM dead") {
                row throws(SQLiteError) in try row.int("number")
            }.first
            guard let oldest, oldest < number else { break }
            change = change + (try delete(oldest, from: connection))
            change.dropped += 1
        }
        return change
    }

    /// Returns the dead letters, the oldest first.
    func deadLetters(after number: Int = 0, limit: Int = .max) throws(BridgeError) -> [DeadLetter] {
        try use { (connection) throws(SQLiteError) in
            try connection.rows(
                "SELECT * FROM dead WHERE number > ? ORDER BY number LIMIT ?",
                .integer(number),
                .integer(limit)
            ) { row throws(SQLiteError) in
                let subscription = try row.optionalText("subscription")
                return DeadLetter(
                    number: try row.int("number"),
                    direction: subscription == nil ? .outgoing : .incoming,
                    id: try row.text("id"),
                    code: BridgeErrorCode(rawValue: try row.text("code")) ?? .storage,
                    cause: try row.text("cause"),
                    attempts: try row.int("attempts"),
                    date: Self.date(try row.int("died")),
                    frame: try Self.frame(row),
                    subscription: subscription,
                    stored: Self.date(try row.int("stored"))
                )
            }
        }
    }

    /// Puts an outgoing dead letter into the outbox, and an incoming one among the parked messages.
    func revive(_ number: Int) throws(BridgeError) {
        guard let letter = try deadLetters(after: number - 1, limit: 1).first,
            letter.number == number
        else { throw Self.notFound(number) }
        let size = OutboxDraft(
            subject: letter.frame.subject,
            headers: letter.frame.headers,
            body: letter.frame.body
        ).size
        let isOutgoing = letter.direction == .outgoing
        try use { (connection) throws(SQLiteError) in
            if isOutgoing { try renewNumbers(in: connection) }
            try changeDeadLetters(in: connection) { () throws(SQLiteError) in
                let change = try delete(number, from: connection)
                guard change.count < 0 else { return (change, ()) }
                if isOutgoing {
                    try connection.execute(
                        """
                        INSERT INTO outbox (subject, headers, body, posted, size)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                        values: Self.columns(letter.frame) + [
                            .integer(Self.milliseconds(letter.stored)), .integer(size),
                        ]
                    )
                } else {
                    try connection.execute(
                        """
                        INSERT OR REPLACE INTO parked (subscription, id, lane, attempts, cause,
                        stored, subject, headers, body) VALUES (?, ?, ?, 0, '', ?, ?, ?, ?)
                        """,
                        values: [
                            letter.subscription.map { .text($0) }, .text(letter.id),
                            .text("dead \(letter.id)"), .integer(Self.milliseconds(letter.stored)),
                        ] + Self.columns(letter.frame)
                    )
                }
                return (change, ())
            }
        }
        if isOutgoing { release(OutboxFigures(rows: -1, bytes: -size)) }
    }

    /// Removes a dead letter.
    func discard(_ number: Int) throws(BridgeError) {
        let count = try use { (connection) throws(SQLiteError) in
            try changeDeadLetters(in: connection) { () throws(SQLiteError) in
                let change = try delete(number, from: connection)
                return (change, -change.count)
            }
        }
        if count == 0 { throw Self.notFound(number) }
    }

    private static func notFound(_ number: Int) -> BridgeError {
        BridgeError(.notFound, "No dead letter has the number \(number). List them again.")
    }
}
