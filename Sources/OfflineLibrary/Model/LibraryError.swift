// SPDX-License-Identifier: Apache-2.0

/// Something a library was asked to do and could not.
package struct LibraryError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case notFound
            case inUse
            case invalidAddress
            case unknownRendition
            case cannotOpen
            case newerVersion
            case database
            case notRetryable
            case unavailable
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// There is no such item.
        package static let notFound = Code(value: .notFound)
        /// Another process works on this library.
        package static let inUse = Code(value: .inUse)
        /// The address cannot be fetched by this program.
        package static let invalidAddress = Code(value: .invalidAddress)
        /// The rendition is neither `best` nor a height such as `720p`.
        package static let unknownRendition = Code(value: .unknownRendition)
        /// The library's folder or its files cannot be read or written.
        package static let cannotOpen = Code(value: .cannotOpen)
        /// A newer version of the program wrote this library.
        package static let newerVersion = Code(value: .newerVersion)
        /// The registry refused a change.
        package static let database = Code(value: .database)
        /// The item is not in a state that can be tried again.
        package static let notRetryable = Code(value: .notRetryable)
        /// What was asked for needs the running server.
        package static let unavailable = Code(value: .unavailable)
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
