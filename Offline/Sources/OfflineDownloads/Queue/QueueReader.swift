// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import TidingsSQLite

/// Reads the queued items in the order of the queue.
struct QueueReader: Sendable {
    let registry: Registry

    /// The largest number of rows that one query of the queue reads.
    static let queueBatch = 64

    private static let queued = SQLiteValue.text(ItemState.queued.rawValue)

    /// Returns the first queued items in the order of the queue.
    func queuedItems() throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        try candidates("state = ? ORDER BY position, id LIMIT ?", [.integer(Self.queueBatch)])
    }

    /// Returns the first queued recordings in the order of the queue.
    func queuedRecordings() throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        try candidates(
            "state = ? AND live = 1 ORDER BY position, id LIMIT ?",
            [.integer(Self.queueBatch)]
        )
    }

    /// Returns the queued items with these identifiers, in the order of the queue.
    func queuedItems(among ids: Set<ItemID>) throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        let list = ids.map { "\($0.rawValue)" }.joined(separator: ",")
        return try candidates(
            "state = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY position, id",
            [.text("[\(list)]")]
        )
    }

    /// Returns the first queued items of each of the first servers that can take more.
    ///
    /// - Parameters:
    ///   - count: The number of items of one server.
    ///   - isOpen: Returns whether a server can take more.
    /// - Returns: The items in the order of the queue.
    /// - Throws: `SQLiteError` if the registry cannot be read.
    func queuedItems(
        _ count: Int,
        ofEachHost isOpen: (String) -> Bool
    ) throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        var found: [DownloadSchedule.Candidate] = []
        for host in try queuedHosts() where isOpen(host) {
            found += try candidates(
                "state = ? AND host = ? ORDER BY position, id LIMIT ?",
                [.text(host), .integer(count)]
            )
        }
        return found.sorted { ($0.position, $0.id.rawValue) < ($1.position, $1.id.rawValue) }
    }

    /// Returns the first servers by name that have queued items, without reading all items.
    private func queuedHosts() throws(SQLiteError) -> [String] {
        try registry.rows(
            """
            WITH RECURSIVE hosts (host, number) AS (
                SELECT (SELECT min(host) FROM items WHERE state = ?1), 1
                UNION ALL
                SELECT (
                    SELECT min(host) FROM items WHERE state = ?1 AND host > hosts.host
                ), number + 1
                FROM hosts WHERE host IS NOT NULL AND number < ?2
            )
            SELECT host FROM hosts WHERE host IS NOT NULL
            """,
            Self.queued,
            .integer(Self.queueBatch)
        ) { row throws(SQLiteError) in try row.text("host") }
    }

    private func candidates(
        _ condition: String,
        _ values: [SQLiteValue]
    ) throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        try registry.withConnection { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT id, host, live, position FROM items WHERE \(condition)",
                values: [Self.queued] + values
            ) { row throws(SQLiteError) in
                DownloadSchedule.Candidate(
                    id: try row.id("id"),
                    host: try row.text("host"),
                    isLive: try row.int("live") == 1,
                    position: Int64(try row.int("position"))
                )
            }
        }
    }
}
