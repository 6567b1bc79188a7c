// SPDX-License-Identifier: Apache-2.0

/// The current row of a query, read by column name.
///
/// The row is valid only inside the closure that receives the row. Later reads throw `.misuse`. A
/// value of a different type, or an unexpected NULL, throws `.corrupt`, because this program has
/// not written such a value. Text and numbers are never converted into each other.
package final class SQLiteRow {
    private let statement: SQLiteStatement
    private var isValid = true

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// Returns the integer of a column.
    package func int(_ column: String) throws(SQLiteError) -> Int {
        try present(optionalInt(column), column)
    }

    /// Returns whether the integer of a column is not 0.
    package func bool(_ column: String) throws(SQLiteError) -> Bool {
        try int(column) != 0
    }

    /// Returns the number of a column, which may be an integer.
    package func double(_ column: String) throws(SQLiteError) -> Double {
        try present(optionalDouble(column), column)
    }

    /// Returns the text of a column.
    package func text(_ column: String) throws(SQLiteError) -> String {
        try present(optionalText(column), column)
    }

    /// Returns the bytes of a column.
    package func blob(_ column: String) throws(SQLiteError) -> [UInt8] {
        try present(optionalBlob(column), column)
    }

    /// Returns the integer of a column, or nil for NULL.
    package func optionalInt(_ column: String) throws(SQLiteError) -> Int? {
        switch try value(column) {
        case .integer(let number): return number
        case .null: return nil
        case .real, .text, .blob: throw wrongType(column, "an integer")
        }
    }

    /// Returns the number of a column, which may be an integer, or nil for NULL.
    package func optionalDouble(_ column: String) throws(SQLiteError) -> Double? {
        switch try value(column) {
        case .real(let number): return number
        case .integer(let number): return Double(number)
        case .null: return nil
        case .text, .blob: throw wrongType(column, "a number")
        }
    }

    /// Returns the text of a column, or nil for NULL.
    package func optionalText(_ column: String) throws(SQLiteError) -> String? {
        switch try value(column) {
        case .text(let text): return text
        case .null: return nil
        case .integer, .real, .blob: throw wrongType(column, "text")
        }
    }

    /// Returns the bytes of a column, or nil for NULL.
    package func optionalBlob(_ column: String) throws(SQLiteError) -> [UInt8]? {
        switch try value(column) {
        case .blob(let bytes): return bytes
        case .null: return nil
        case .integer, .real, .text: throw wrongType(column, "bytes")
        }
    }

    /// Returns the value of a column, of any type.
    package func value(_ column: String) throws(SQLiteError) -> SQLiteValue {
        guard isValid else {
            throw SQLiteError(.misuse, "A row of “\(statement.sql)” was used after its query.")
        }
        guard let index = statement.columns[column] else {
            throw SQLiteError(.misuse, "“\(statement.sql)” has no column “\(column)”.")
        }
        return try statement.value(at: index)
    }

    func invalidate() {
        isValid = false
    }

    /// Returns a value that a column must have.
    ///
    /// - Throws: `.corrupt` for nil.
    package func present<T>(_ value: T?, _ column: String) throws(SQLiteError) -> T {
        guard let value else { throw wrongType(column, "a value") }
        return value
    }

    private func wrongType(_ column: String, _ expected: String) -> SQLiteError {
        SQLiteError(
            .corrupt,
            "“\(column)” in the database \(statement.path) is not \(expected). "
                + "Restore a copy of the database."
        )
    }
}
