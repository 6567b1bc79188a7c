// SPDX-License-Identifier: Apache-2.0

/// A server that cannot start, or a request that it cannot answer.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case portTaken
            case cannotListen
            case resourcesMissing
            case badConfiguration
            case badRequest
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// Another program listens on the port that was asked for.
        package static let portTaken = Code(value: .portTaken)
        /// The system refused the address or the port.
        package static let cannotListen = Code(value: .cannotListen)
        /// The files of the page do not stand beside the program.
        package static let resourcesMissing = Code(value: .resourcesMissing)
        /// An address, a host name or the token in the configuration cannot be used.
        package static let badConfiguration = Code(value: .badConfiguration)
        /// The request's body or parameters are not what this address takes.
        package static let badRequest = Code(value: .badRequest)
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
