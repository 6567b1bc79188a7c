// SPDX-License-Identifier: Apache-2.0
import CTidingsSQLite

// Swift does not import these macros.
/// `SQLITE_ERROR_MISSING_COLLSEQ`.
private let missingCollation = SQLITE_ERROR | 1 << 8
/// `SQLITE_IOERR_SHMSIZE`, which means that a full disk has no room for the index of the log.
private let sharedMemorySize = SQLITE_IOERR | 19 << 8

extension SQLiteError {
    /// Creates the error for an extended result code, with SQLite's message.
    ///
    /// Messages about the file contain the path. Messages about a statement contain the statement's
    /// text without the values.
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
            case SQLITE_ERROR where Self.isForeignSchema(result, text):
                (
                    .corrupt,
                    "The schema of \(path) is not one of this program; move the file away together "
                        + "with its -wal and -shm files, or replace all of them by a copy"
                )
            case SQLITE_IOERR where result == sharedMemorySize:
                (.full, "There is no space left for the database \(path); free some space")
            case SQLITE_BUSY, SQLITE_LOCKED:
                (.busy, "The database \(path) is in use by another program; try again in a moment")
            case SQLITE_FULL:
                (.full, "There is no space left for the database \(path); free some space")
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                (
                    .corrupt,
                    "The file \(path) is damaged or not a database; move it away together with its "
                        + "-wal and -shm files, or replace all of them by a copy"
                )
            case SQLITE_CONSTRAINT:
                (.constraint, "\(subject) violates a constraint of the database")
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (
                    .readOnly,
                    "The database \(path) cannot be written; check the permissions of its folder"
                )
            case SQLITE_CANTOPEN:
                (
                    .inputOutput,
                    "The database \(path) cannot be opened; check its folder and its permissions"
                )
            case SQLITE_IOERR:
                (.inputOutput, "The database \(path) cannot be read or written; check the disk")
            case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_MISMATCH, SQLITE_TOOBIG:
                (.misuse, "\(subject) cannot be run")
            default:
                (.other, "The database \(path) refused a statement")
            }
        self.init(code, "\(message) (\(text)).", fileID: fileID, line: line)
    }

    /// Whether the schema names a module or a collation that this program never uses.
    ///
    /// SQLite has no separate code for an unknown module.
    private static func isForeignSchema(_ result: Int32, _ text: String) -> Bool {
        result == missingCollation || text.contains("no such module: ")
    }

    /// Returns SQLite's message for the failure, with the number for a look in the documentation.
    private static func text(of result: Int32, database: OpaquePointer?) -> String {
        let text = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        let message = text.map { String(cString: $0) } ?? "no text"
        return "SQLite \(result): \(message)"
    }
}
