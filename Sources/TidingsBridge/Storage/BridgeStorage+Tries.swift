// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

/// The deliveries of one message of shared work to this process that have ended without success.
struct SharedTries: Hashable, Sendable {
    /// The failures of the handlers.
    var failures = 0
    /// The deliveries with a known end, failures included.
    var deliveries = 0
}

/// The tries of shared work, which are not synced.
///
/// A power cut may undo the last tries, which gives the message more attempts.
extension BridgeStorage {
    /// The number of messages whose tries are kept.
    ///
    /// Another process may have handled the oldest messages.
    private static let triesLimit = 10_000

    /// Returns the tries of a message so far, including the tries before a restart.
    func tries(of id: String) throws(BridgeError) -> SharedTries {
        try use { (connection) throws(SQLiteError) in try tries(of: id, in: connection) }
    }

    private func tries(
        of id: String,
        in connection: SQLiteConnection
    ) throws(SQLiteError) -> SharedTries {
        let sql = "SELECT failures, deliveries FROM tries WHERE id = ?"
        let found = try connection.rows(sql, .text(id)) { row throws(SQLiteError) in
            SharedTries(failures: try row.int("failures"), deliveries: try row.int("deliveries"))
        }
        return found.first ?? SharedTries()
    }

    /// Counts a delivery that has ended without success.
    ///
    /// - Returns: The tries so far.
    @discardableResult
    func countTry(of id: String, isFailure: Bool) throws(BridgeError) -> SharedTries {
        try use { (connection) throws(SQLiteError) in
            try connection.unsyncedTransaction { () throws(SQLiteError) in
                try connection.execute(
                    """
                    INSERT INTO tries (id, failures, deliveries) VALUES (?1, ?2, 1)
                    ON CONFLICT (id) DO UPDATE
                    SET failures = failures + ?2, deliveries = deliveries + 1
                    """,
                    .text(id),
                    .integer(isFailure ? 1 : 0)
                )
                try connection.execute(
                    "DELETE FROM tries WHERE number <= (SELECT max(number) FROM tries) - ?",
                    .integer(Self.triesLimit)
                )
                return try tries(of: id, in: connection)
            }
        }
    }

    /// Forgets the tries of a message that is done or dead.
    func forgetTries(of id: String) throws(BridgeError) {
        try use { (connection) throws(SQLiteError) in
            try connection.unsyncedTransaction { () throws(SQLiteError) in
                try connection.execute("DELETE FROM tries WHERE id = ?", .text(id))
            }
        }
    }
}
