// SPDX-License-Identifier: Apache-2.0
// The module is re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A failure of a statement or of a database file.
package typealias SQLiteError = CodedError<SQLiteErrorCode>

/// The codes of ``SQLiteError``.
package enum SQLiteErrorCode: String, ErrorCode {
    /// Another connection has locked the database for longer than the busy timeout.
    case busy
    /// The disk or the database is full.
    case full
    /// The file is not a database, or is damaged.
    case corrupt
    /// The change would violate a constraint of the schema.
    case constraint
    /// A newer version of the program has written the database.
    case newerSchema
    /// An earlier version of the program has written the database, which must be migrated first.
    case olderSchema
    /// The migration of the database to the present schema failed. The cause contains the reason.
    case migration
    /// The file could not be opened, read or written.
    case inputOutput
    /// The file or its folder is not writable.
    case readOnly
    /// The statement or the values are invalid, which is a bug in the caller.
    case misuse
    /// Any other failure. The message contains SQLite's text.
    case other
}
