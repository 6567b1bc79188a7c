// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsSQLite

/// A setting that the registry remembers: its name and the type of its value.
package struct PreferenceKey<Value: RawRepresentable & Sendable>: Sendable
where Value.RawValue == String {
    let name: String
    let fallback: Value

    package init(_ name: String, default fallback: Value) {
        self.name = name
        self.fallback = fallback
    }
}

extension Registry {
    /// The stored value, or the key's default when none is stored or it cannot be read.
    package func preference<Value>(_ key: PreferenceKey<Value>) throws(SQLiteError) -> Value {
        let text: String? = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows("SELECT value FROM preferences WHERE name = ?", .text(key.name)) {
                row throws(SQLiteError) in
                try row.text("value")
            }.first
        }
        return text.flatMap(Value.init(rawValue:)) ?? key.fallback
    }

    /// Stores a value.
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
