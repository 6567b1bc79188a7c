// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsLock
package import TidingsSQLite

extension ItemReader {
    /// Counts all items.
    ///
    /// A trusted registry has only plain rows, and an index gives the numbers. In any other
    /// registry, this method reads every row but creates items only for rows with unexpected
    /// values. Creating all items would take seconds in a large library.
    ///
    /// - Throws: `SQLiteError`, which includes a row from which no item can be created.
    package func counts() throws(SQLiteError) -> ItemCounts {
        guard registry.hasTables else { return ItemCounts() }
        return try registry.withConnection { connection throws(SQLiteError) in
            if registry.isTrusted {
                registry.rowsArePlain.withLock { $0 = true }
                return try Self.countsByIndex(connection)
            }
            var (counts, isComplete) = try Self.countsOfPlainRows(connection)
            registry.rowsArePlain.withLock { $0 = isComplete }
            guard !isComplete else { return counts }
            for item in try Self.items(connection, where: "NOT (\(Self.isPlain))") {
                counts.replace(nil, by: item)
            }
            return counts
        }
    }

    /// The statement that counts the items of each state and the videos by an index alone.
    static let countByIndex = """
        SELECT state, media_type, count(*) AS number FROM items GROUP BY state, media_type
        """

    private static func countsByIndex(
        _ connection: SQLiteConnection
    ) throws(SQLiteError) -> ItemCounts {
        var states: [ItemState: Int] = [:]
        var videos = 0
        let groups = try connection.rows(countByIndex) { row throws(SQLiteError) in
            (try row.text("state"), try row.optionalText("media_type"), try row.int("number"))
        }
        for (name, type, number) in groups {
            let state = ItemState(rawValue: name) ?? .failed
            states[state, default: 0] += number
            if state == .ready, type?.hasPrefix("video/") == true { videos += number }
        }
        return ItemCounts(states, videos: videos)
    }

    /// Counts the rows with expected values, and returns whether these are all rows.
    private static func countsOfPlainRows(
        _ connection: SQLiteConnection
    ) throws(SQLiteError) -> (ItemCounts, isComplete: Bool) {
        let states = ItemState.allCases.map {
            "count(*) FILTER (WHERE state = '\($0.rawValue)') AS \($0.rawValue)"
        }
        let found = try connection.rows(
            """
            SELECT \(states.joined(separator: ", ")),
                count(*) FILTER (WHERE state = 'ready' AND substr(media_type, 1, 6) = 'video/')
                    AS videos,
                (SELECT count(*) FROM items) AS total
            FROM items NOT INDEXED WHERE \(isPlain)
            """
        ) { row throws(SQLiteError) in
            var numbers: [ItemState: Int] = [:]
            for state in ItemState.allCases { numbers[state] = try row.int(state.rawValue) }
            let counts = ItemCounts(numbers, videos: try row.int("videos"))
            return (counts, try row.int("total") == numbers.values.reduce(0, +))
        }
        return found.first ?? (ItemCounts(), true)
    }

    /// The condition that the values of a row have the types of the columns, a known state, and a
    /// file name without a folder.
    private static let isPlain: String = {
        let columns: [(types: String, names: [String])] = [
            ("'text'", ["source", "quality", "audio", "subtitles", "title", "state"]),
            ("'integer'", ["allows_private", "has_picture", "live", "position"]),
            ("'integer', 'real'", ["created_at"]),
            (
                "'text', 'null'",
                ["kind", "note", "error_code", "error_message", "file_name", "media_type"]
            ),
            ("'integer', 'null'", ["size", "width", "height"]),
            ("'integer', 'real', 'null'", ["duration", "ready_at", "live_seconds"]),
        ]
        let types = columns.flatMap { types, names in
            names.map { "typeof(\($0)) IN (\(types))" }
        }
        let states = ItemState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let name = """
            (file_name IS NULL OR file_name != '' AND substr(file_name, 1, 1) != '.'
                AND instr(file_name, '/') = 0 AND instr(CAST(file_name AS BLOB), x'00') = 0)
            """
        return (types + ["state IN (\(states))", name]).joined(separator: " AND ")
    }()
}
