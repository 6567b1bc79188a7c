// SPDX-License-Identifier: Apache-2.0

/// The tables of a bridge's file, version 1.
enum StorageSchema {
    static let statements = [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        // A row number is never used again, because it is a part of an id.
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
}
