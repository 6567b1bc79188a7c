// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// A statement or a database file that SQLite refused.
package typealias SQLiteError = CodedError<SQLiteErrorCode>

/// The kinds of ``SQLiteError``.
package enum SQLiteErrorCode: String, ErrorCode {
    /// Another process kept the database locked for too long.
    case busy
    /// The disk or the database is full.
    case full
    /// The file is not a database, or is damaged.
    case corrupt
    /// The change would break a rule of the schema.
    case constraint
    /// The database was written by a newer version of the program.
    case newerSchema
    /// The file could not be read or written.
    case inputOutput
    /// The file or its folder is not writable.
    case readOnly
    /// The statement or its values are wrong: a defect of the caller.
    case misuse
    /// Any other refusal; the message holds SQLite's text.
    case other
}
