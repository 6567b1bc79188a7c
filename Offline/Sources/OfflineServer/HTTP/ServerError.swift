// SPDX-License-Identifier: Apache-2.0
// Re-exported so that `error.code` needs no other import.
@_exported public import TidingsErrors

/// Thrown when the server cannot start.
package typealias ServerError = CodedError<ServerErrorCode>

/// The kinds of ``ServerError``.
package enum ServerErrorCode: String, ErrorCode {
    /// Another program listens on the configured port.
    case portTaken
    /// The system refused the address or the port.
    case cannotListen
    /// The page's files are missing or unreadable.
    case resourcesMissing
    /// An address, a host name or the token in the configuration is invalid.
    case badConfiguration
}
