// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Returns all followed feeds in the order in which they were followed.
    func feeds() throws(SQLiteError) -> [Feed] {
        guard hasTables else { return [] }
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.feeds(connection, where: "1 ORDER BY id")
        }
    }

    /// Returns a feed; nil if it is not followed.
    func feed(_ id: FeedID) throws(SQLiteError) -> Feed? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.feeds(connection, where: "id = ?", .integer(Int(id.rawValue))).first
        }
    }

    /// Returns the feed with an address; nil if it is not followed.
    func feed(at address: WebAddress) throws(SQLiteError) -> Feed? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.feeds(connection, where: "address = ?", .text(address.text)).first
        }
    }

    /// Returns the options of a feed's requests.
    ///
    /// - Throws: `SQLiteError`, and `LibraryError` for options that this version cannot read.
    func options(of id: FeedID) throws -> RequestOptions {
        let text = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT options FROM feeds WHERE id = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in try row.optionalText("options") }.first ?? nil
        }
        guard let text else { return RequestOptions() }
        do {
            let texts = try JSONDecoder().decode(RequestOptions.Texts.self, from: Data(text.utf8))
            return try RequestOptions(texts)
        } catch {
            throw LibraryError(
                .invalidOption,
                "This version cannot read the stored options of the feed. Follow its address again "
                    + "with its headers, cookies or proxy."
            )
        }
    }

    /// Inserts a feed, or changes the one with the same address.
    ///
    /// More entries to keep make those unknown that were too old before.
    func follow(
        _ request: FeedRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> Feed {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let address = SQLiteValue.text(request.address.text)
                let known = try Self.feeds(connection, where: "address = ?", address).first
                if let known {
                    try Self.change(connection, known, by: request)
                } else {
                    try Self.insert(connection, request, title, date)
                }
                return try Self.feeds(connection, where: "address = ?", address)[0]
            }
        }
    }

    /// Forgets a feed and its entries; their items stay.
    ///
    /// - Returns: Whether it was followed.
    func unfollow(_ id: FeedID) throws(SQLiteError) -> Bool {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM feeds WHERE id = ?", .integer(Int(id.rawValue)))
            return connection.changes > 0
        }
    }

    static func insert(
        _ connection: SQLiteConnection,
        _ request: FeedRequest,
        _ title: String,
        _ date: Date,
        nextCheck: Date? = nil
    ) throws(SQLiteError) {
        try connection.execute(
            """
            INSERT INTO feeds (
                address, title, keep, keeps_pages, allows_private, options, created_at, next_check
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(request.address.text),
            .text(title),
            .integer(request.keep),
            .integer(request.keepsPages ? 1 : 0),
            .integer(request.allowsPrivateAddresses ? 1 : 0),
            .optional(request.options.stored),
            .real(date.timeIntervalSince1970),
            .real((nextCheck ?? date).timeIntervalSince1970)
        )
    }

    private static func change(
        _ connection: SQLiteConnection,
        _ feed: Feed,
        by request: FeedRequest
    ) throws(SQLiteError) {
        let id = SQLiteValue.integer(Int(feed.id.rawValue))
        if request.keep > feed.keep {
            try connection.execute(
                "DELETE FROM feed_entries WHERE feed = ? AND item IS NULL",
                id
            )
        }
        try connection.execute(
            """
            UPDATE feeds SET keep = ?, keeps_pages = ?, allows_private = max(allows_private, ?),
                options = coalesce(?, options), tag = NULL, modified = NULL
            WHERE id = ?
            """,
            .integer(request.keep),
            .integer(request.keepsPages ? 1 : 0),
            .integer(request.allowsPrivateAddresses ? 1 : 0),
            .optional(request.options.stored),
            id
        )
    }

    static func feeds(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [Feed] {
        try connection.rows("SELECT * FROM feeds WHERE \(condition)", values: values) {
            row throws(SQLiteError) in
            try Feed(row)
        }.compactMap(\.self)
    }
}

extension Feed {
    /// Reads a row; nil for an address that this version cannot parse.
    fileprivate init?(_ row: SQLiteRow) throws(SQLiteError) {
        guard let address = try? WebAddress(try row.text("address")) else { return nil }
        func date(_ name: String) throws(SQLiteError) -> Date? {
            try row.optionalDouble(name).map(Date.init(timeIntervalSince1970:))
        }
        let code = try row.optionalText("error_code")
        let message = try row.optionalText("error_message")
        self.init(
            id: FeedID(rawValue: Int64(try row.int("id"))),
            address: address,
            title: try row.text("title"),
            keep: try row.int("keep"),
            keepsPages: try row.int("keeps_pages") != 0,
            allowsPrivateAddresses: try row.int("allows_private") != 0,
            createdAt: Date(timeIntervalSince1970: try row.double("created_at")),
            checkedAt: try date("checked_at"),
            nextCheck: try date("next_check"),
            failures: try row.int("failures"),
            failure: code.map { ItemFailure(code: $0, message: message ?? $0) },
            period: try row.optionalDouble("period").map { .seconds($0) },
            validators: FeedValidators(
                tag: try row.optionalText("tag"),
                modified: try row.optionalText("modified")
            ),
            entryCount: try row.int("entry_count"),
            withoutMedia: try row.int("without_media")
        )
    }
}
