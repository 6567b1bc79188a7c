// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Returns the options of an item's requests.
    ///
    /// They are no part of `MediaItem`, because items are in messages, in the API and on the page,
    /// and options contain secrets.
    ///
    /// - Throws: `SQLiteError`, and `DownloadError` with `.refused` for options that this version
    ///   cannot read: without them, another server than the person meant could be asked.
    package func options(of id: ItemID) throws -> RequestOptions {
        try RequestOptions(
            stored: connection.withLock { connection throws(SQLiteError) in
                try Self.optionsText(connection, id)
            }
        )
    }

    /// Adds the options of a later request for an item to its options.
    func updateOptions(of id: ItemID, by newer: RequestOptions) throws(SQLiteError) {
        guard !newer.isEmpty else { return }
        let options = ((try? options(of: id)) ?? RequestOptions()).updated(by: newer)
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                "UPDATE items SET options = ? WHERE id = ?",
                .optional(options.stored),
                .integer(Int(id.rawValue))
            )
        }
    }

    static func optionsText(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) -> String? {
        try connection.rows(
            "SELECT options FROM items WHERE id = ?",
            .integer(Int(id.rawValue))
        ) { row throws(SQLiteError) in try row.optionalText("options") }
        .first ?? nil
    }
}

extension RequestOptions {
    /// Reads the text of the registry; nil is that of no options.
    init(stored text: String?) throws(DownloadError) {
        guard let text else {
            self.init()
            return
        }
        do {
            let texts = try JSONDecoder().decode(Texts.self, from: Data(text.utf8))
            try self.init(texts)
        } catch {
            throw DownloadError(
                .refused,
                "This version cannot read the stored options of the item. Remove the item and add "
                    + "its address again with its headers, cookies, proxy or checksum."
            )
        }
    }

    /// The text of the registry; nil without options.
    var stored: String? {
        guard !isEmpty, let data = try? JSONFormat.encode(texts) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
