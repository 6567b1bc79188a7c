// SPDX-License-Identifier: Apache-2.0

/// A statement or a database file that SQLite refused.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case busy
            case full
            case corrupt
            case constraint
            case newerSchema
            case inputOutput
            case readOnly
            case misuse
            case other
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// Another process kept the database locked for too long.
        package static let busy = Code(value: .busy)
        /// The disk or the database is full.
        package static let full = Code(value: .full)
        /// The file is not a database, or is damaged.
        package static let corrupt = Code(value: .corrupt)
        /// The change would break a rule of the schema.
        package static let constraint = Code(value: .constraint)
        /// The database was written by a newer version of the program.
        package static let newerSchema = Code(value: .newerSchema)
        /// The file could not be read or written.
        package static let inputOutput = Code(value: .inputOutput)
        /// The file or its folder is not writable.
        package static let readOnly = Code(value: .readOnly)
        /// The statement or its values are wrong: a defect of the caller.
        package static let misuse = Code(value: .misuse)
        /// Any other refusal; the message holds SQLite's text.
        package static let other = Code(value: .other)
    }

    package let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    package let message: String
    /// The failure beneath this one, if there is one.
    package let cause: (any Error)?
    /// Where the error was made, as `#fileID:line`.
    package let location: String

    package init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(fileID):\(line)"
    }

    package var description: String { "\(code): \(message)" }
}
