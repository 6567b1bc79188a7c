// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
package import TidingsSQLite

/// The name, the type and the default of a setting in the registry.
package struct PreferenceKey<Value: RawRepresentable & Sendable>: Sendable
where Value.RawValue == String {
    let name: String
    let fallback: Value

    /// Creates a key; the name identifies the setting in the database.
    package init(_ name: String, default fallback: Value) {
        self.name = name
        self.fallback = fallback
    }
}

extension Registry {
    /// Returns the stored value, or the key's default if there is none or it is unreadable.
    package func preference<Value>(_ key: PreferenceKey<Value>) throws(SQLiteError) -> Value {
        let text: String? = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows("SELECT value FROM preferences WHERE name = ?", .text(key.name)) {
                row throws(SQLiteError) in
                try row.text("value")
            }.first
        }
        return text.flatMap(Value.init(rawValue:)) ?? key.fallback
    }

    /// Stores the value of a setting.
    package func setPreference<Value>(
        _ value: Value,
        for key: PreferenceKey<Value>
    ) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                """
                INSERT INTO preferences (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
                .text(key.name),
                .text(value.rawValue)
            )
        }
    }
}
