// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

extension ItemReader {
    /// Returns a page of the items.
    ///
    /// The cost depends on the size of the page, except for the total, which an index counts.
    package func page(_ query: ItemQuery) throws(SQLiteError) -> ItemPage {
        guard registry.hasTables else { return ItemPage(items: [], total: 0) }
        return try registry.withConnection { connection throws(SQLiteError) in
            // One item more than requested shows whether further items exist.
            let (sql, values) = Self.selection(query, limit: query.count + 1)
            var items = try connection.rows(sql, values: values) { row throws(SQLiteError) in
                try MediaItem(row)
            }
            let hasMore = items.count > query.count
            items = Array(items.prefix(query.count))
            let total = try Self.total(connection, query)
            return ItemPage(items: items, total: total, next: hasMore ? items.last?.id : nil)
        }
    }

    /// Returns all items that match a search, the newest first.
    package func items(matching words: SearchWords) throws(SQLiteError) -> [MediaItem] {
        try page(ItemQuery(words: words, count: Int(Int32.max))).items
    }

    /// Returns the items with these identifiers that exist, the newest first.
    package func items(_ ids: Set<ItemID>) throws(SQLiteError) -> [MediaItem] {
        var items: [MediaItem] = []
        for id in ids.sorted(by: { $0.rawValue > $1.rawValue }) {
            if let item = try item(id) { items.append(item) }
        }
        return items
    }

    /// Returns the statement and the values for a page.
    ///
    /// Without a search, the index of the states orders the items of each state by number. SQLite
    /// then merges the states without reading the items of other pages. Only the queue has a
    /// separate order.
    static func selection(_ query: ItemQuery, limit: Int) -> (sql: String, values: [SQLiteValue]) {
        if query.order != .newest { return ordered(query, limit: limit) }
        let isOfTable = query.words.isEmpty && query.media == nil && query.collection == nil
        if query.states == [.queued], isOfTable, query.isWatched == nil {
            return queue(query, limit: limit)
        }
        let after = SQLiteValue.integer(query.after.map { Int($0.rawValue) } ?? .max)
        let end = " ORDER BY id DESC LIMIT ?"
        if !isOfTable {
            let (condition, values) = condition(query)
            return (
                "SELECT * FROM items WHERE id < ? AND \(condition)\(end)",
                [after] + values + [.integer(limit)]
            )
        }
        let states = query.states.map(\.rawValue).sorted()
        let mark = query.isWatched.map { " AND is_watched = \($0 ? 1 : 0)" } ?? ""
        let state = states.isEmpty ? "" : "state = ? AND "
        let part = "SELECT * FROM items WHERE \(state)id < ?\(mark)"
        let parts = states.isEmpty ? [part] : states.map { _ in part }
        let values = states.isEmpty ? [after] : states.flatMap { [.text($0), after] }
        return (parts.joined(separator: " UNION ALL ") + end, values + [.integer(limit)])
    }

    /// Returns the statement for a page in an order other than by number.
    ///
    /// A page starts after the place that the order gives to the last item of the previous page. No
    /// page repeats or omits an item while other items come and go.
    private static func ordered(
        _ query: ItemQuery,
        limit: Int
    ) -> (sql: String, values: [SQLiteValue]) {
        let (key, isAscending) = key(of: query)
        var (condition, values) = condition(query)
        if let after = query.after.map({ SQLiteValue.id($0) }) {
            let last = "(SELECT \(key) FROM items WHERE id = ?)"
            let later = "\(key) \(isAscending ? ">" : "<") \(last)"
            condition += " AND (\(later) OR (\(key) = \(last) AND id < ?))"
            values += [after, after, after]
        }
        let order = "\(key) \(isAscending ? "ASC" : "DESC"), id DESC"
        return (
            "SELECT * FROM items WHERE \(condition) ORDER BY \(order) LIMIT ?",
            values + [.integer(limit)]
        )
    }

    private static func key(of query: ItemQuery) -> (sql: String, isAscending: Bool) {
        switch query.order {
        case .newest: ("id", false)
        case .title: ("title COLLATE NOCASE", true)
        case .length: ("coalesce(duration, 0)", false)
        case .size: ("coalesce(size, 0)", false)
        case .collection:
            (
                """
                (SELECT position FROM collection_items
                WHERE collection = \(query.collection?.rawValue ?? 0) AND item = items.id)
                """, true
            )
        }
    }

    private static func queue(
        _ query: ItemQuery,
        limit: Int
    ) -> (sql: String, values: [SQLiteValue]) {
        let start = query.after.map { Int($0.rawValue) } ?? 0
        return (
            """
            SELECT * FROM items WHERE state = ?1 AND (position, id) >
            (coalesce((SELECT position FROM items WHERE id = ?2), -9223372036854775807), ?2)
            ORDER BY position, id LIMIT ?3
            """,
            [.text(ItemState.queued.rawValue), .integer(start), .integer(limit)]
        )
    }

    private static func total(
        _ connection: SQLiteConnection,
        _ query: ItemQuery
    ) throws(SQLiteError) -> Int {
        let (condition, values) = condition(query)
        return try connection.rows(
            "SELECT COUNT(*) AS total FROM items WHERE \(condition)",
            values: values
        ) { row throws(SQLiteError) in try row.int("total") }.first ?? 0
    }

    /// Returns the condition for all pages.
    ///
    /// During a search or in a collection, the condition avoids the index of the states, because
    /// that index would read more rows.
    private static func condition(_ query: ItemQuery) -> (sql: String, values: [SQLiteValue]) {
        var conditions = ["1"]
        var values: [SQLiteValue] = []
        if !query.states.isEmpty {
            let marks = query.states.map { _ in "?" }.joined(separator: ", ")
            let isOfAll = query.words.isEmpty && query.collection == nil
            conditions.append("\(isOfAll ? "" : "+")state IN (\(marks))")
            values += query.states.map { .text($0.rawValue) }
        }
        if let isWatched = query.isWatched {
            conditions.append("is_watched = \(isWatched ? 1 : 0)")
        }
        switch query.media {
        case .video: conditions.append("media_type >= 'video/' AND media_type < 'video0'")
        case .audio: conditions.append("media_type >= 'audio/' AND media_type < 'audio0'")
        case .text:
            conditions.append(
                """
                (media_type >= 'text/' AND media_type < 'text0'
                OR media_type IN ('application/pdf', 'application/epub+zip'))
                """
            )
        case nil: break
        }
        if let id = query.collection {
            conditions.append("id IN (SELECT item FROM collection_items WHERE collection = ?)")
            values.append(.id(id))
        }
        if let expression = query.words.expression {
            conditions.append(
                """
                id IN (
                    SELECT rowid FROM search WHERE search MATCH ?
                    UNION SELECT rowid FROM text_search WHERE text_search MATCH ?
                )
                """
            )
            values += [.text(expression), .text(expression)]
        }
        for pattern in query.words.patterns {
            conditions.append("(title LIKE ? ESCAPE '\\' OR file_name LIKE ? ESCAPE '\\')")
            values += [.text(pattern), .text(pattern)]
        }
        return (conditions.joined(separator: " AND "), values)
    }
}
