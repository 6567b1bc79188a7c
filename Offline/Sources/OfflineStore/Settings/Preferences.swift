// SPDX-License-Identifier: Apache-2.0
package import TidingsSQLite

/// The preferences of a library, stored as names and values.
package struct Preferences: Sendable {
    let registry: Registry

    /// Returns the stored value, or the key's default if the value is missing or unreadable.
    package func preference<Value>(_ key: PreferenceKey<Value>) throws(SQLiteError) -> Value {
        let text: String? = try registry.rows(
            "SELECT value FROM preferences WHERE name = ?",
            .text(key.name)
        ) {
            row throws(SQLiteError) in try row.text("value")
        }.first
        return text.flatMap(Value.init(rawValue:)) ?? key.fallback
    }

    /// Stores the value of a setting.
    package func setPreference<Value>(
        _ value: Value,
        for key: PreferenceKey<Value>
    ) throws(SQLiteError) {
        try registry.execute(
            """
            INSERT INTO preferences (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            .text(key.name),
            .text(value.rawValue)
        )
    }

    /// Returns the name of this library among all libraries, which the first call creates.
    ///
    /// The name is random and reveals nothing about the library or the machine.
    package func identity() throws(SQLiteError) -> String {
        let made = String(UInt64.random(in: .min ... .max), radix: 36)
        return try registry.transaction { connection throws(SQLiteError) in
            try connection.execute(
                "INSERT INTO preferences (name, value) VALUES ('identity', ?) "
                    + "ON CONFLICT (name) DO NOTHING",
                .text(made)
            )
            return try connection.rows(
                "SELECT value FROM preferences WHERE name = 'identity'"
            ) { row throws(SQLiteError) in try row.text("value") }.first ?? made
        }
    }
}

/// The name, the type and the default of a setting in the registry.
package struct PreferenceKey<Value: RawRepresentable & Sendable>: Sendable
where Value.RawValue == String {
    let name: String
    let fallback: Value

    /// Creates a key with the name that identifies the setting in the database.
    package init(_ name: String, default fallback: Value) {
        self.name = name
        self.fallback = fallback
    }
}
