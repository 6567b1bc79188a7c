// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsHTTP
package import TidingsSQLite

/// One segment of a stream as the registry knows it.
package struct SegmentRecord: Hashable, Sendable {
    /// From 0 in playing order; -1 is the initialization section of a fragmented MP4.
    package var number: Int
    package var address: WebAddress
    package var range: HTTPByteRange?
    /// What makes it the same segment when the playlist is read again.
    package var identity: String
    package var key: SegmentKey?
    /// Whether timestamps may start anew before it.
    package var isDiscontinuity: Bool
    /// The bytes on disk, once it is whole.
    package var size: Int64?
    /// Whether the server had announced the length that arrived; otherwise only the connection's
    /// end said that it was whole.
    package var isProven = false

    package init(
        number: Int,
        address: WebAddress,
        range: HTTPByteRange?,
        identity: String,
        key: SegmentKey?,
        isDiscontinuity: Bool = false,
        size: Int64? = nil,
        isProven: Bool = false
    ) {
        self.number = number
        self.address = address
        self.range = range
        self.identity = identity
        self.key = key
        self.isDiscontinuity = isDiscontinuity
        self.size = size
        self.isProven = isProven
    }
}

/// Where a segment's key is and the vector its decryption starts from.
package struct SegmentKey: Hashable, Sendable {
    package var address: WebAddress
    package var iv: [UInt8]

    package init(address: WebAddress, iv: [UInt8]) {
        self.address = address
        self.iv = iv
    }
}

extension Registry {
    /// An item's segments in playing order.
    package func segments(of id: ItemID) throws(SQLiteError) -> [SegmentRecord] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT * FROM segments WHERE item = ? ORDER BY number",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in
                try SegmentRecord(row)
            }
        }
    }

    /// Replaces what is known of an item's segments.
    package func setSegments(_ segments: [SegmentRecord], of id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(
                    "DELETE FROM segments WHERE item = ?",
                    .integer(Int(id.rawValue))
                )
                for segment in segments {
                    try connection.execute(
                        "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        .integer(Int(id.rawValue)),
                        .integer(segment.number),
                        .text(segment.address.text),
                        .optional(segment.range?.offset),
                        .optional(segment.range?.length),
                        .text(segment.identity),
                        .optional(segment.key?.address.text),
                        segment.key.map { .blob($0.iv) } ?? .null,
                        .bool(segment.isDiscontinuity),
                        .optional(segment.size),
                        .bool(segment.isProven)
                    )
                }
            }
        }
    }

    /// Takes back that segments are on disk, all of them at once.
    package func forgetSizes(
        ofSegments numbers: [Int],
        of id: ItemID
    ) throws(SQLiteError) {
        guard !numbers.isEmpty else { return }
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for number in numbers {
                    try connection.execute(
                        "UPDATE segments SET size = NULL, proven = 0 WHERE item = ? AND number = ?",
                        .integer(Int(id.rawValue)),
                        .integer(number)
                    )
                }
            }
        }
    }

    /// Records that a segment is whole on disk.
    package func setSize(
        _ size: Int64,
        isProven: Bool = false,
        ofSegment number: Int,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                "UPDATE segments SET size = ?, proven = ? WHERE item = ? AND number = ?",
                .optional(size),
                .bool(isProven),
                .integer(Int(id.rawValue)),
                .integer(number)
            )
        }
    }
}

extension SegmentRecord {
    fileprivate init(_ row: SQLiteRow) throws(SQLiteError) {
        let address: WebAddress
        let keyAddress: WebAddress?
        do {
            address = try WebAddress(row.text("address"))
            keyAddress = try row.optionalText("key_address").map { try WebAddress($0) }
        } catch {
            throw SQLiteError(
                .corrupt,
                "A segment's address in the registry cannot be read.",
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
        var key: SegmentKey?
        if let keyAddress, let iv = try row.optionalBlob("iv") {
            key = SegmentKey(address: keyAddress, iv: iv)
        }
        self.init(
            number: try row.int("number"),
            address: address,
            range: range,
            identity: try row.text("identity"),
            key: key,
            isDiscontinuity: try row.bool("discontinuity"),
            size: try row.optionalInt("size").map(Int64.init),
            isProven: try row.bool("proven")
        )
    }
}
