// SPDX-License-Identifier: Apache-2.0
package import TidingsSQLite

extension Preferences {
    /// The name of the damaged file that this registry has replaced, or nil after `forgetDamage`.
    ///
    /// The name comes from the file and is not validated.
    package var damage: String? {
        get throws(SQLiteError) {
            let name = try preference(.damaged).rawValue
            return name.isEmpty ? nil : name
        }
    }

    /// Records that the damage has been reported.
    package func forgetDamage() throws(SQLiteError) {
        try setPreference(DamagedName(rawValue: ""), for: .damaged)
    }

    /// Stores the name of the damaged file in the transaction that creates the new registry.
    static func recordDamage(_ name: String, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.execute(
            "INSERT INTO preferences (name, value) VALUES (?, ?)",
            .text(PreferenceKey<DamagedName>.damaged.name),
            .text(name)
        )
    }
}

/// The name of the damaged file that a registry has replaced, or an empty name after the report.
private struct DamagedName: RawRepresentable, Sendable {
    let rawValue: String
}

extension PreferenceKey<DamagedName> {
    fileprivate static var damaged: PreferenceKey {
        PreferenceKey("damaged_registry", default: DamagedName(rawValue: ""))
    }
}
