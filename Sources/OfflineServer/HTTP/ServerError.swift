// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// A server that cannot start, or a request that it cannot answer.
package typealias ServerError = CodedError<ServerErrorCode>

/// The kinds of ``ServerError``.
package enum ServerErrorCode: String, ErrorCode {
    /// Another program listens on the port that was asked for.
    case portTaken
    /// The system refused the address or the port.
    case cannotListen
    /// The files of the page do not stand beside the program.
    case resourcesMissing
    /// An address, a host name or the token in the configuration cannot be used.
    case badConfiguration
    /// The request's body or parameters are not what this address takes.
    case badRequest
}
