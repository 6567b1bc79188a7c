// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

extension SQLiteValue {
    /// Creates the integer of an identifier.
    package static func id<Subject>(_ id: Identifier<Subject>) -> SQLiteValue {
        .integer(Int(id.rawValue))
    }
}

extension SQLiteRow {
    /// Returns the identifier of a column.
    package func id<Subject>(_ column: String) throws(SQLiteError) -> Identifier<Subject> {
        Identifier(rawValue: Int64(try int(column)))
    }
}
