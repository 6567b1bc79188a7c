// SPDX-License-Identifier: Apache-2.0

/// The kinds of failure of one module, to decide on in code.
package protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {}

extension ErrorCode {
    package var description: String { rawValue }
}

/// A failure as most modules of this package tell it: its kind, and words for a person.
///
/// Each module names its own, such as `typealias ServerError = CodedError<ServerErrorCode>`.
package struct CodedError<Kind: ErrorCode>: Error, Sendable, CustomStringConvertible {
    package typealias Code = Kind

    package let code: Kind
    /// What happened and what to do about it, in one or two sentences for a person.
    package let message: String
    /// The failure beneath this one, if there is one.
    package let cause: (any Error)?
    /// Where the error was made, as `#fileID:line`.
    package let location: String

    package init(
        _ code: Kind,
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
