// SPDX-License-Identifier: Apache-2.0
import CTidingsSQLite

/// A prepared statement, finalized when the last reference is released.
final class SQLiteStatement {
    let sql: String
    let path: String
    /// The column indexes by name.
    ///
    /// A repeated name has the index of the first column.
    let columns: [String: Int32]
    private let database: OpaquePointer
    private let handle: OpaquePointer

    init(_ sql: String, database: OpaquePointer, path: String) throws(SQLiteError) {
        let (result, handle, isWhole) = Self.prepare(sql, database: database)
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, database: database, path: path, statement: sql)
        }
        guard let handle else {
            throw SQLiteError(.misuse, "“\(sql)” contains no statement.")
        }
        guard isWhole else {
            sqlite3_finalize(handle)
            throw SQLiteError(.misuse, "“\(sql)” contains several statements. Run them one by one.")
        }
        self.sql = sql
        self.path = path
        self.database = database
        self.handle = handle
        columns = Self.columns(of: handle)
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Whether the statement changes nothing in the file.
    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Binds the values in order.
    ///
    /// There must be one value for each parameter.
    func bind(_ values: [SQLiteValue?]) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == expected else {
            throw SQLiteError(
                .misuse,
                "“\(sql)” takes \(expected) values, but got \(values.count)."
            )
        }
        for (offset, value) in values.enumerated() {
            try check(bind(value ?? .null, at: Int32(offset + 1)))
        }
    }

    /// Moves to the next row, or returns false after the last row.
    func step() throws(SQLiteError) -> Bool {
        let result = sqlite3_step(handle)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            throw SQLiteError(result: result, database: database, path: path, statement: sql)
        }
    }

    /// Prepares the statement for the next run and clears the bound values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Returns the value of a column of the current row.
    ///
    /// - Throws: `.corrupt` for text that is not UTF-8.
    func value(at column: Int32) throws(SQLiteError) -> SQLiteValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER:
            return .integer(Int(sqlite3_column_int64(handle, column)))
        case SQLITE_FLOAT:
            return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw SQLiteError(.corrupt, "The database \(path) contains text that is not UTF-8.")
            }
            return .text(text)
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default:
            return .null
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, Int64(number))
        case .real(let number):
            return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let start = characters.baseAddress else {
                        return tidings_sqlite_bind_text(handle, index, "", 0)
                    }
                    let count = UInt64(characters.count)
                    return tidings_sqlite_bind_text(handle, index, start, count)
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                tidings_sqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
            }
        case .null:
            return sqlite3_bind_null(handle, index)
        }
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, database: database, path: path, statement: sql)
        }
    }

    private static func prepare(
        _ sql: String,
        database: OpaquePointer
    ) -> (result: Int32, handle: OpaquePointer?, isWhole: Bool) {
        sql.withCString { start in
            var handle: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let result = sqlite3_prepare_v3(database, start, -1, flags, &handle, &tail)
            let rest = tail.map { String(cString: $0) } ?? ""
            return (result, handle, rest.allSatisfy(\.isWhitespace))
        }
    }

    private static func columns(of handle: OpaquePointer) -> [String: Int32] {
        var columns: [String: Int32] = [:]
        for column in 0..<sqlite3_column_count(handle) {
            guard let name = sqlite3_column_name(handle, column) else { continue }
            let key = String(cString: name)
            if columns[key] == nil { columns[key] = column }
        }
        return columns
    }
}
