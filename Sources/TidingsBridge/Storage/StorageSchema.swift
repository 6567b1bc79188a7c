// SPDX-License-Identifier: Apache-2.0

/// The tables of a bridge's file.
enum StorageSchema {
    /// The statements that upgrade a file from each version to the next, from version 0, a new
    /// file.
    static let statements = [first, second]

    static var version: Int { statements.count }

    private static let first = [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        // A row number is never used again, because the number is a part of an id.
        """
        CREATE TABLE outbox (
            row INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, headers TEXT NOT NULL,
            body BLOB NOT NULL, posted INTEGER NOT NULL, size INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE TABLE seen (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT",
        """
        CREATE TABLE cursors (
            subscription TEXT PRIMARY KEY, stream TEXT NOT NULL, incarnation TEXT NOT NULL,
            sequence INTEGER NOT NULL, id TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE parked (
            number INTEGER PRIMARY KEY AUTOINCREMENT, subscription TEXT NOT NULL,
            id TEXT NOT NULL UNIQUE, lane TEXT NOT NULL, attempts INTEGER NOT NULL,
            cause TEXT NOT NULL, stored INTEGER NOT NULL, subject TEXT NOT NULL,
            headers TEXT NOT NULL, body BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX parked_lanes ON parked (subscription, lane)",
        """
        CREATE TABLE dead (
            number INTEGER PRIMARY KEY AUTOINCREMENT, subscription TEXT, id TEXT NOT NULL,
            code TEXT NOT NULL, cause TEXT NOT NULL, attempts INTEGER NOT NULL,
            died INTEGER NOT NULL, stored INTEGER NOT NULL, subject TEXT NOT NULL,
            headers TEXT NOT NULL, body BLOB NOT NULL
        ) STRICT
        """,
    ]
    private static let second = [
        """
        CREATE TABLE tries (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            failures INTEGER NOT NULL, deliveries INTEGER NOT NULL
        ) STRICT
        """
    ]
}
