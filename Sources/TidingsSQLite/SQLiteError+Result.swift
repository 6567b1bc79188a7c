import CTidingsSQLite
// SPDX-License-Identifier: Apache-2.0
import Tidings

extension SQLiteError {
    /// Creates the error for an extended result code, with SQLite's own text.
    ///
    /// The path is named in messages about the file, the statement's text (without its values) when
    /// the statement is at fault.
    init(
        result: Int32,
        database: OpaquePointer?,
        path: String,
        statement: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let text = Self.text(of: result, database: database)
        let subject = statement.map { "“\($0)”" } ?? "The statement"
        let (code, message): (Code, String) =
            switch result & 0xff {
            case SQLITE_BUSY, SQLITE_LOCKED:
                (.busy, "The database \(path) is in use by another program; try again in a moment")
            case SQLITE_FULL:
                (.full, "There is no space left for the database \(path); free some space")
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                (
                    .corrupt,
                    "The file \(path) is damaged or not a database; move it away or restore a copy"
                )
            case SQLITE_CONSTRAINT:
                (.constraint, "\(subject) breaks a rule of the database")
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (
                    .readOnly,
                    "The database \(path) cannot be written; check the permissions of its folder"
                )
            case SQLITE_CANTOPEN:
                (
                    .inputOutput,
                    "The database \(path) cannot be opened; check that its folder exists and is yours"
                )
            case SQLITE_IOERR:
                (.inputOutput, "The database \(path) cannot be read or written; check the disk")
            case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_MISMATCH, SQLITE_TOOBIG:
                (.misuse, "\(subject) is not one SQLite can run")
            default:
                (.other, "The database \(path) refused a statement")
            }
        self.init(code, "\(message) (\(text)).", fileID: fileID, line: line)
    }

    /// SQLite's words for the failure, with its number, which its documentation explains.
    private static func text(of result: Int32, database: OpaquePointer?) -> String {
        let said = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        let words = said.map { String(cString: $0) } ?? "no text"
        return "SQLite \(result): \(words)"
    }
}
