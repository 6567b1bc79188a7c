// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import OfflineSources
import TidingsHTTP
package import TidingsSQLite

/// The records of unfinished downloads: parts, tracks, recordings and transfers.
///
/// No message contains these records, so that their changes need no post.
package struct DownloadRecords: Sendable {
    let registry: Registry

    /// Returns the number of an item's parts.
    package func partCount(of id: ItemID) throws(SQLiteError) -> Int {
        try registry.rows("SELECT COUNT(*) AS count FROM parts WHERE item = ?", .id(id)) {
            row throws(SQLiteError) in try row.int("count")
        }.first ?? 0
    }

    /// Returns the size of all parts in bytes, or nil without parts or with an incomplete part.
    package func sizeOfCompleteParts(of id: ItemID) throws(SQLiteError) -> Int64? {
        try registry.rows(
            """
            SELECT SUM(size) AS size FROM parts WHERE item = ?
            HAVING COUNT(*) > 0 AND SUM(size IS NULL AND gap = 0) = 0
            """,
            .id(id)
        ) { row throws(SQLiteError) in try row.optionalInt("size").map(Int64.init) }.first ?? nil
    }

    /// Returns the parts of an item in the order of its tracks.
    package func parts(of id: ItemID) throws(SQLiteError) -> [PartRecord] {
        try registry.rows("SELECT * FROM parts WHERE item = ? ORDER BY track, number", .id(id)) {
            row throws(SQLiteError) in try PartRecord(row)
        }
    }

    /// Returns the descriptions of an item's tracks in order, or an empty list for one undescribed
    /// track.
    package func tracks(of id: ItemID) throws(SQLiteError) -> [TrackDescription] {
        try registry.rows("SELECT * FROM tracks WHERE item = ? ORDER BY number", .id(id)) {
            row throws(SQLiteError) in
            TrackDescription(
                content: .init(rawValue: try row.text("content")) ?? .everything,
                language: try row.optionalText("language")
                    .flatMap(TrackDescription.languageCode),
                isDefault: try row.bool("is_default"),
                isForced: try row.bool("is_forced"),
                name: try row.optionalText("name"),
                purpose: try row.optionalText("purpose").flatMap(TrackPurpose.init(rawValue:))
            )
        }
    }

    /// Replaces all parts and tracks of an item.
    package func setParts(
        _ records: [PartRecord],
        tracks: [TrackDescription] = [],
        of id: ItemID
    ) throws(SQLiteError) {
        try registry.transaction { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM parts WHERE item = ?", .id(id))
            for record in records { try Self.insert(connection, record, of: id) }
            try connection.execute("DELETE FROM tracks WHERE item = ?", .id(id))
            for (number, track) in tracks.enumerated() {
                try connection.execute(
                    "INSERT INTO tracks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    values: [
                        .id(id), .integer(number), .text(track.content.rawValue),
                        .optional(track.language), .bool(track.isDefault), .bool(track.isForced),
                        .optional(track.name), .optional(track.purpose?.rawValue),
                    ]
                )
            }
        }
    }

    static func insert(
        _ connection: SQLiteConnection,
        _ record: PartRecord,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.execute(
            "INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values: [.id(id)] + record.values
        )
    }

    /// Removes the parts of a track that is left out of the file.
    package func removeParts(ofTrack track: Int, in id: ItemID) throws(SQLiteError) {
        try registry.execute(
            "DELETE FROM parts WHERE item = ? AND track = ?",
            .id(id),
            .integer(track)
        )
    }

    /// Marks parts as not on disk, in one transaction.
    package func clearSizes(of parts: [PartID], in id: ItemID) throws(SQLiteError) {
        guard !parts.isEmpty else { return }
        try registry.transaction { connection throws(SQLiteError) in
            for part in parts {
                try Self.setSize(connection, to: nil, isProven: false, nil, of: part, in: id)
            }
        }
    }

    /// Records a part as complete on disk.
    package func setSize(
        _ size: Int64,
        isProven: Bool = false,
        validator: String? = nil,
        of part: PartID,
        in id: ItemID
    ) throws(SQLiteError) {
        try registry.withConnection { connection throws(SQLiteError) in
            try Self.setSize(connection, to: size, isProven: isProven, validator, of: part, in: id)
        }
    }

    private static func setSize(
        _ connection: SQLiteConnection,
        to size: Int64?,
        isProven: Bool,
        _ validator: String?,
        of part: PartID,
        in id: ItemID
    ) throws(SQLiteError) {
        try connection.execute(
            """
            UPDATE parts SET size = ?, proven = ?, validator = ?
            WHERE item = ? AND track = ? AND number = ?
            """,
            values: [
                .optional(size), .bool(isProven), .optional(validator), .id(id),
                .integer(part.track), .integer(part.number),
            ]
        )
    }
}

extension PartRecord {
    /// The columns after the item, in the order of the table.
    fileprivate var values: [SQLiteValue] {
        [
            .integer(id.track), .integer(id.number), .text(part.address.text),
            .optional(part.range?.offset), .optional(part.range?.length), .text(part.identity),
            .optional(part.key?.address.text), part.key.map { .blob($0.iv) } ?? .null,
            .bool(part.isInitialization), .bool(part.isDiscontinuity), .text(fileName),
            .optional(size), .bool(isProven), part.duration.map { .real($0) } ?? .null,
            .optional(validator), .bool(part.isGap),
        ]
    }

    fileprivate init(_ row: SQLiteRow) throws(SQLiteError) {
        // The name in a manipulated registry must never become a path outside the item's folder.
        let fileName = try row.text("file_name")
        guard LibraryDirectory.isPartName(fileName) else {
            throw SQLiteError(
                .corrupt,
                "The registry contains an invalid file name of a part of this item. Remove the "
                    + "item and download it again."
            )
        }
        self.init(
            PartID(track: try row.int("track"), number: try row.int("number")),
            try Part(row),
            fileName: fileName,
            size: try row.optionalInt("size").map(Int64.init),
            isProven: try row.bool("proven"),
            validator: try row.optionalText("validator")
        )
    }
}

extension Part {
    fileprivate init(_ row: SQLiteRow) throws(SQLiteError) {
        let address: WebAddress
        let keyAddress: WebAddress?
        do {
            address = try WebAddress(row.text("address"))
            keyAddress = try row.optionalText("key_address").map { try WebAddress($0) }
        } catch {
            throw SQLiteError(
                .corrupt,
                "A part's address in the registry cannot be read.",
                cause: error
            )
        }
        var range: HTTPByteRange?
        if let offset = try row.optionalInt("range_offset") {
            range = HTTPByteRange(
                offset: Int64(offset),
                length: try row.optionalInt("range_length").map(Int64.init)
            )
        }
        var key: DecryptionKey?
        if let keyAddress, let iv = try row.optionalBlob("iv") {
            key = DecryptionKey(address: keyAddress, iv: iv)
        }
        self.init(
            address: address,
            range: range,
            identity: try row.text("identity"),
            key: key,
            duration: try row.optionalDouble("duration").flatMap { $0.isFinite ? $0 : nil },
            isInitialization: try row.bool("initialization"),
            isDiscontinuity: try row.bool("discontinuity"),
            isGap: try row.bool("gap")
        )
    }
}
