// SPDX-License-Identifier: Apache-2.0
import TidingsLock
import TidingsSQLite

extension Registry {
    static let settingPrefix = "setting."

    /// Returns the settings; one that is not stored, or that is unreadable, has its default.
    func settings() throws(SQLiteError) -> DownloadSettings {
        let stored = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT name, value FROM preferences WHERE name GLOB ?",
                .text(Self.settingPrefix + "*")
            ) { row throws(SQLiteError) in
                (name: try row.text("name"), value: try row.text("value"))
            }
        }
        var settings = DownloadSettings()
        for (name, value) in stored {
            let key = SettingKey(rawValue: String(name.dropFirst(Self.settingPrefix.count)))
            if let key { try? settings.set(key, to: value) }
        }
        return settings
    }

    /// Stores some of the settings in one transaction.
    func setSettings(_ texts: [SettingKey: String]) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for (key, text) in texts {
                    try connection.execute(
                        """
                        INSERT INTO preferences (name, value) VALUES (?, ?)
                        ON CONFLICT (name) DO UPDATE SET value = excluded.value
                        """,
                        .text(Self.settingPrefix + key.rawValue),
                        .text(text)
                    )
                }
            }
        }
    }
}
