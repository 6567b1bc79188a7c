// SPDX-License-Identifier: Apache-2.0

/// Diagnostics that could not begin, or a report that could not be kept.
public struct DiagnosticsError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case folderUnusable
            case notWritten
            case tooMany
            case otherBuild
            case otherOwner
        }

        private let value: Value

        /// The name of the code.
        public var description: String { value.rawValue }

        /// The folder for reports cannot be made or written.
        public static let folderUnusable = Code(value: .folderUnusable)
        /// A report could not be written, as on a full disk.
        public static let notWritten = Code(value: .notWritten)
        /// Errors were recorded faster than the disk could take them.
        public static let tooMany = Code(value: .tooMany)
        /// A report does not belong to the file in which its functions were to be found.
        public static let otherBuild = Code(value: .otherBuild)
        /// Files of the reporter belong to another user, as after a run as root.
        public static let otherOwner = Code(value: .otherOwner)
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    public let message: String
    /// The failure beneath this one, if there is one.
    public let cause: (any Error)?
    /// Where the error was made, as `#fileID:line`.
    public let location: String

    init(
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

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
