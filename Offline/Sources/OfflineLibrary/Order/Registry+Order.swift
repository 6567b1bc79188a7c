// SPDX-License-Identifier: Apache-2.0
import TidingsLock
import TidingsSQLite

extension Registry {
    /// The number of rows that one query of the queue reads at most.
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

    /// Returns those of some items that are queued, in the order of the queue.
    func queuedItems(among ids: Set<ItemID>) throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        let list = ids.map { "\($0.rawValue)" }.joined(separator: ",")
        return try candidates(
            "state = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY position, id",
            [.text("[\(list)]")]
        )
    }

    /// Returns the first queued items of each of the first servers that can have more.
    ///
    /// - Parameters:
    ///   - count: The number of items of one server.
    ///   - isOpen: Returns whether a server can have more.
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
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
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
            ) { row throws(SQLiteError) in
                try row.text("host")
            }
        }
    }

    private func candidates(
        _ condition: String,
        _ values: [SQLiteValue]
    ) throws(SQLiteError) -> [DownloadSchedule.Candidate] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT id, host, live, position FROM items WHERE \(condition)",
                values: [Self.queued] + values
            ) { row throws(SQLiteError) in
                DownloadSchedule.Candidate(
                    id: ItemID(rawValue: Int64(try row.int("id"))),
                    host: try row.text("host"),
                    isLive: try row.int("live") == 1,
                    position: Int64(try row.int("position"))
                )
            }
        }
    }

    /// Moves a queued item in the order of the queue; changes only rows from its old to its new
    /// place.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - place: Its new place.
    /// - Returns: The changed items, before and after; nil if the item, or the one of the place, is
    ///   not queued.
    /// - Throws: `SQLiteError`; nothing is changed then.
    func reorder(
        _ id: ItemID,
        _ place: QueuePlace
    ) throws(SQLiteError) -> [(old: MediaItem, new: MediaItem)]? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                guard let item = try Self.item(connection, id), item.state == .queued else {
                    return nil
                }
                var changed: [(old: MediaItem, new: MediaItem)] = []
                let moved = try Self.positions(connection, item, place)
                guard let moved else { return nil }
                for (old, position) in moved {
                    try connection.execute(
                        "UPDATE items SET position = ? WHERE id = ?",
                        .integer(Int(position)),
                        .integer(Int(old.id.rawValue))
                    )
                    var new = old
                    new.position = position
                    changed.append((old, new))
                }
                return changed
            }
        }
    }

    /// Returns the new positions of a move, none if the item has its place already; nil if the item
    /// of the place is not queued.
    private static func positions(
        _ connection: SQLiteConnection,
        _ item: MediaItem,
        _ place: QueuePlace
    ) throws(SQLiteError) -> [(item: MediaItem, position: Int64)]? {
        if case .before(let id) = place {
            guard let other = try Self.item(connection, id), other.state == .queued else {
                return nil
            }
            return try positions(connection, item, before: other)
        }
        let isForward = place == .top || place == .up
        let neighbor = try items(
            connection,
            where: isForward
                ? "state = ? AND position < ? ORDER BY position DESC LIMIT 1"
                : "state = ? AND position > ? ORDER BY position LIMIT 1",
            queued,
            .integer(Int(item.position))
        ).first
        guard let neighbor else { return [] }
        switch place {
        case .up, .down: return [(item, neighbor.position), (neighbor, item.position)]
        case .top: return [(item, try limit(connection, "min(position) - 1"))]
        case .bottom: return [(item, try limit(connection, "max(position) + 1"))]
        case .before: return nil
        }
    }

    /// Returns the new positions of an item before another one, and of those that it passes: each
    /// takes the position of the next one, so that the others keep theirs.
    private static func positions(
        _ connection: SQLiteConnection,
        _ item: MediaItem,
        before other: MediaItem
    ) throws(SQLiteError) -> [(item: MediaItem, position: Int64)] {
        let isForward = other.position < item.position
        let passed = try items(
            connection,
            where: isForward
                ? "state = ? AND position >= ? AND position < ? ORDER BY position"
                : "state = ? AND position < ? AND position > ? ORDER BY position DESC",
            queued,
            .integer(Int(other.position)),
            .integer(Int(item.position))
        )
        guard let last = passed.first else { return [] }
        let positions = passed.dropFirst().map(\.position) + [item.position]
        return [(item, last.position)] + zip(passed, positions).map { ($0, $1) }
    }

    private static func limit(
        _ connection: SQLiteConnection,
        _ expression: String
    ) throws(SQLiteError) -> Int64 {
        let sql = "SELECT \(expression) AS position FROM items"
        let found = try connection.rows(sql) { row throws(SQLiteError) in
            Int64(try row.int("position"))
        }
        return found.first ?? 0
    }

    /// Changes the state of the first items in a state, and returns them before and after.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - move: The move, which is legal in this state.
    /// - Returns: At most some hundred items, so that no change blocks others for long; none after
    ///   the last one.
    /// - Throws: `SQLiteError`; nothing is changed then.
    func moveSome(
        from state: ItemState,
        _ move: ItemMove
    ) throws(SQLiteError) -> [(old: MediaItem, new: MediaItem)] {
        guard let next = state.after(move), next != state else { return [] }
        return try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let items = try Self.items(
                    connection,
                    // A file that was imported has no download.
                    where: "state = ? AND source NOT LIKE 'import:%' ORDER BY position LIMIT 500",
                    .text(state.rawValue)
                )
                return try items.map { item throws(SQLiteError) in
                    try connection.execute(
                        """
                        UPDATE items SET state = ?, error_code = NULL, error_message = NULL
                        WHERE id = ?
                        """,
                        .text(next.rawValue),
                        .integer(Int(item.id.rawValue))
                    )
                    var new = item
                    new.state = next
                    new.failure = nil
                    return (item, new)
                }
            }
        }
    }
}
