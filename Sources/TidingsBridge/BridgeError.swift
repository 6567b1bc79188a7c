// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A failure of a bridge, its storage or one of its messages.
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
    /// Another process, or another bridge of this one, uses the storage folder.
    case inUse
    /// The storage could not be opened, read or written; the cause is the reason.
    case storage
    /// The outbox has reached its quota.
    case full
    /// A version between the oldest and the current one has no upcast, or two do not fit together.
    case missingUpcast
    /// Two crossings carry the same wire name, or a name is malformed.
    case invalidCrossing
    /// The bridge has been closed, or was not started.
    case closed
    /// The body of a message or a reply could not be encoded or decoded.
    case codec
    /// The message has a newer version than this program, or one that it no longer reads.
    case unsupportedVersion
    /// The headers of a message are malformed.
    case malformed
    /// The server refused the message for good; the cause is its reason.
    case refused
    /// Every attempt of the handlers failed; the cause is the last error.
    case handlerFailed
    /// What the server's acknowledgement means is weaker than the bridge requires.
    case tooWeak
    /// No dead letter has this number.
    case notFound
    /// No answer came in time.
    case timedOut
    /// No process answers this request.
    case noResponder
    /// The bridge has no connection to its server, or it ended before the reply.
    case notConnected
    /// The process that was asked failed; the message is its error.
    case remote
    /// The request or the reply is larger than the server accepts.
    case tooLarge
}
