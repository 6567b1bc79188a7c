// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

extension Preferences {
    /// The start of the names of settings among the preferences.
    package static let settingPrefix = "setting."

    /// Returns the settings, with defaults in place of missing and unreadable values.
    package func settings() throws(SQLiteError) -> DownloadSettings {
        let stored = try registry.rows(
            "SELECT name, value FROM preferences WHERE name GLOB ?",
            .text(Self.settingPrefix + "*")
        ) { row throws(SQLiteError) in (name: try row.text("name"), value: try row.text("value")) }
        var settings = DownloadSettings()
        for (name, value) in stored {
            let key = SettingKey(rawValue: String(name.dropFirst(Self.settingPrefix.count)))
            if let key { try? settings.set(key, to: value) }
        }
        return settings
    }

    /// Stores some of the settings in one transaction.
    package func setSettings(_ texts: [SettingKey: String]) throws(SQLiteError) {
        try registry.transaction { connection throws(SQLiteError) in
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
