// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import TidingsSQLite

/// Changes the order and the states of many items, in transactions that the journal posts.
struct QueueOrder {
    let registry: Registry

    /// Moves a queued item in the order of the queue, and changes only the rows between both
    /// places.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - place: The new place of the item.
    /// - Returns: The changed items before and after the move, or nil if the item or the other item
    ///   of `place` is not queued.
    /// - Throws: `SQLiteError`, in which case nothing is changed.
    func reorder(
        _ id: ItemID,
        _ place: QueuePlace
    ) throws(SQLiteError) -> [(old: MediaItem, new: MediaItem)]? {
        try registry.transaction { connection throws(SQLiteError) in
            guard let item = try ItemReader.item(connection, id), item.state == .queued else {
                return nil
            }
            var changed: [(old: MediaItem, new: MediaItem)] = []
            let moved = try Self.positions(connection, item, place: place)
            guard let moved else { return nil }
            for (old, position) in moved {
                try connection.execute(
                    "UPDATE items SET position = ? WHERE id = ?",
                    .integer(Int(position)),
                    .id(old.id)
                )
                var new = old
                new.position = position
                changed.append((old, new))
            }
            return changed
        }
    }

    /// Returns the new positions of a move, or nil if the other item of `place` is not queued.
    ///
    /// The result is empty if the item already has the place.
    private static func positions(
        _ connection: SQLiteConnection,
        _ item: MediaItem,
        place: QueuePlace
    ) throws(SQLiteError) -> [(item: MediaItem, position: Int64)]? {
        if case .before(let id) = place {
            guard let other = try ItemReader.item(connection, id), other.state == .queued else {
                return nil
            }
            return try positions(connection, item, before: other)
        }
        let isForward = place == .top || place == .up
        let neighbor = try ItemReader.items(
            connection,
            where: isForward
                ? "state = ? AND position < ? ORDER BY position DESC LIMIT 1"
                : "state = ? AND position > ? ORDER BY position LIMIT 1",
            .text(ItemState.queued.rawValue),
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

    /// Returns the new positions of an item before another one, and of the items in between.
    ///
    /// Each item in between takes the position of the next item, so that all others keep their
    /// positions.
    private static func positions(
        _ connection: SQLiteConnection,
        _ item: MediaItem,
        before other: MediaItem
    ) throws(SQLiteError) -> [(item: MediaItem, position: Int64)] {
        let isForward = other.position < item.position
        let passed = try ItemReader.items(
            connection,
            where: isForward
                ? "state = ? AND position >= ? AND position < ? ORDER BY position"
                : "state = ? AND position < ? AND position > ? ORDER BY position DESC",
            .text(ItemState.queued.rawValue),
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

    /// Changes the state of the first items in a state, and returns the items before and after.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - move: The move, which is legal in this state.
    /// - Returns: A few hundred items at most, so that no change blocks others for long, or an
    ///   empty list after the last item.
    /// - Throws: `SQLiteError`, in which case nothing is changed.
    func moveSome(
        from state: ItemState,
        _ move: ItemMove
    ) throws(SQLiteError) -> [(old: MediaItem, new: MediaItem)] {
        guard let next = state.after(move), next != state else { return [] }
        return try registry.transaction { connection throws(SQLiteError) in
            let items = try ItemReader.items(
                connection,
                // An imported file has no download.
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
                    .id(item.id)
                )
                var new = item
                new.fields.state = next
                new.fields.error = nil
                return (item, new)
            }
        }
    }
}
