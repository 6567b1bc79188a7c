// SPDX-License-Identifier: Apache-2.0

/// A request that could not be made, or an answer that could not be trusted.
package struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide on in code.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case invalidAddress
            case unsupportedScheme
            case privateAddress
            case ownAddress
            case tooManyRedirects
            case cannotResolve
            case cannotConnect
            case secureConnection
            case timedOut
            case cut
            case tooLarge
            case stopped
            case cancelled
            case closed
            case protocolViolation
        }

        private let value: Value

        package var description: String { value.rawValue }

        /// The text is not an address of the web.
        package static let invalidAddress = Code(value: .invalidAddress)
        /// Only http and https are fetched.
        package static let unsupportedScheme = Code(value: .unsupportedScheme)
        /// The host is on a private network and the policy is public only.
        package static let privateAddress = Code(value: .privateAddress)
        /// The address is this program's own.
        package static let ownAddress = Code(value: .ownAddress)
        /// The server sent the client on too often.
        package static let tooManyRedirects = Code(value: .tooManyRedirects)
        /// The host name has no address.
        package static let cannotResolve = Code(value: .cannotResolve)
        /// Nobody accepted the connection.
        package static let cannotConnect = Code(value: .cannotConnect)
        /// The certificate or the TLS handshake was refused.
        package static let secureConnection = Code(value: .secureConnection)
        /// Nothing arrived for too long.
        package static let timedOut = Code(value: .timedOut)
        /// The body ended before its announced length.
        package static let cut = Code(value: .cut)
        /// The body is larger than the caller allows.
        package static let tooLarge = Code(value: .tooLarge)
        /// The receiver threw; `cause` says why.
        package static let stopped = Code(value: .stopped)
        /// The task was cancelled.
        package static let cancelled = Code(value: .cancelled)
        /// The client was closed.
        package static let closed = Code(value: .closed)
        /// The server does not speak HTTP properly.
        package static let protocolViolation = Code(value: .protocolViolation)
    }

    package let code: Code
    /// What happened and what to do about it, in one or two sentences for a person.
    package let message: String
    /// The failure beneath this one, if there is one.
    package let cause: (any Error)?
    /// Where the error was made, as `#fileID:line`.
    package let location: String
    /// Whether the same request may well succeed later.
    package let isTransient: Bool

    package init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        isTransient: Bool? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.isTransient = isTransient ?? Self.transientCodes.contains(code)
        location = "\(fileID):\(line)"
    }

    package var description: String { "\(code): \(message)" }

    private static let transientCodes: Set<Code> = [
        .cannotResolve, .cannotConnect, .timedOut, .cut,
    ]
}
