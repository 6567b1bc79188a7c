// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A failure of a bridge, of the storage or of a message.
///
/// ```swift
/// do {
///     try await bridge.start()
/// } catch where error.code == .inUse {
///     print(error.message)  // names the process that holds the storage
/// }
/// ```
public typealias BridgeError = CodedError<BridgeErrorCode>

/// The codes of ``BridgeError``.
@nonexhaustive public enum BridgeErrorCode: String, ErrorCode {
    /// Another process, or another bridge of this process, uses the storage folder.
    case inUse
    /// The storage could not be opened, read or written, and the cause is the reason.
    case storage
    /// The outbox has reached the quota.
    case full
    /// A version between the oldest and the current version has no upcast, or two upcasts do not
    /// fit together.
    case missingUpcast
    /// Two crossings carry the same wire name, or a name is malformed.
    case invalidCrossing
    /// The bridge has been closed, or was not started.
    case closed
    /// The body of a message or a reply could not be encoded or decoded.
    case codec
    /// The message has a newer version than this program, or a version that is no longer read.
    case unsupportedVersion
    /// The headers of a message are malformed.
    case malformed
    /// The server refused the message for good, and the cause is the reason.
    case refused
    /// Every attempt of the handlers failed, and the cause is the last error.
    case handlerFailed
    /// The server's acknowledgement means less than the bridge requires.
    case tooWeak
    /// No dead letter has this number.
    case notFound
    /// No answer came in time.
    case timedOut
    /// No process answers this request.
    case noResponder
    /// The bridge has no connection to the server, or the connection ended before the reply.
    case notConnected
    /// The process that was asked failed, and the message is the error of that process.
    case remote
    /// The request or the reply is larger than the server accepts.
    case tooLarge
}
