// SPDX-License-Identifier: Apache-2.0
// The module is re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A request that could not be sent, or an invalid or incomplete response.
package typealias HTTPError = CodedError<HTTPErrorCode>

/// The codes of ``HTTPError``.
package enum HTTPErrorCode: String, ErrorCode {
    /// The text is not a valid web address.
    case invalidAddress
    /// The scheme is neither http nor https.
    case unsupportedScheme
    /// The host has a private address, and the policy is `publicOnly`.
    case privateAddress
    /// The address belongs to one of the program's own servers.
    case ownAddress
    /// There were more redirects than the configuration allows.
    case tooManyRedirects
    /// The host name has no address.
    case cannotResolve
    /// No server accepted the connection.
    case cannotConnect
    /// The proxy refused the user or the connection to the server.
    case proxyRefused
    /// The certificate was refused, or client and server share no encryption.
    case secureConnection
    /// The TLS handshake was interrupted, for example by a bad network.
    case handshakeFailed
    /// A timeout passed without progress.
    case timedOut
    /// The response ended before it was complete.
    case cut
    /// The body is larger than the caller allows.
    case tooLarge
    /// The receiver threw the error in `cause`.
    case stopped
    /// The task was cancelled.
    case cancelled
    /// The client was closed.
    case closed
    /// The server or the caller violates the HTTP protocol.
    case protocolViolation
}

extension HTTPError {
    /// Whether the same request may succeed later, so that a retry makes sense.
    package var isTransient: Bool {
        switch code {
        case .cannotResolve, .cannotConnect, .handshakeFailed, .timedOut, .cut: true
        case .invalidAddress, .unsupportedScheme, .privateAddress, .ownAddress, .tooManyRedirects,
            .proxyRefused, .secureConnection, .tooLarge, .stopped, .cancelled, .closed,
            .protocolViolation:
            false
        }
    }
}
