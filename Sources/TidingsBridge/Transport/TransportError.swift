// SPDX-License-Identifier: Apache-2.0

/// The reason why a connection ended, could not be made, or a frame was refused.
///
/// Transports create this error, so the error has a public initializer, unlike other errors of this
/// package.
/// The message contains no credential.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    @nonexhaustive public enum Code: String, Hashable, Sendable {
        /// The connection was closed by this side, or the task was cancelled.
        case closed
        /// The server cannot be reached, but a later attempt may succeed.
        case unreachable
        /// The server or the network has ended the connection.
        case lost
        /// The server did not answer in time, or accepted no bytes in time.
        case overdue
        /// The credentials are wrong, or do not allow this call.
        case notPermitted
        /// The server says that the stream does not exist and that this client may not create it.
        ///
        /// A server that merely does not answer, as while it elects a leader, is `overdue`.
        case noStream
        /// The frame is larger than the server accepts.
        case tooLarge
        /// The server does not accept the form of the frame, such as the subject.
        case malformed
        /// The stream or its disk is full, but a later attempt may succeed.
        case full
        /// The stream has a newer frame of the subject than the header `Tidings-After` names.
        case superseded
        /// The transport does not have this feature, such as shared work.
        case unsupported
        /// Another failure of the server, after which a later attempt may succeed.
        case other
    }

    /// The kind of failure.
    public let code: Code
    /// The fault and its remedy, in one or two sentences for people.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// Whether the same call would fail again after any number of repeats.
    ///
    /// The bridge does not send a frame again after such an error. Another error may pass without a
    /// change of the settings.
    public var isPermanent: Bool {
        switch code {
        case .notPermitted, .noStream, .tooLarge, .malformed, .superseded, .unsupported: true
        case .closed, .unreachable, .lost, .overdue, .full, .other: false
        }
    }
}
