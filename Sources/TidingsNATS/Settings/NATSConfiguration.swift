// SPDX-License-Identifier: Apache-2.0
#if NATS
/// The settings of a ``NATSTransport``.
///
/// ```swift
/// var configuration = NATSConfiguration()
/// configuration.identity = .token(.file("/run/secrets/nats-token"))
/// configuration.stream.largestSize = 2_000_000_000
/// ```
public struct NATSConfiguration: Sendable {
    /// The settings of a stream that the transport creates.
    ///
    /// An existing stream keeps its settings.
    public struct Stream: Sendable {
        /// The number of servers of a cluster that store each frame.
        public var replicas = 1
        /// The maximum size of the stream in bytes, or nil for the limit of the server.
        public var largestSize: Int?
        /// The age at which the stream drops a frame, or nil for never.
        public var oldestAge: Duration?
        /// Whether a full stream drops the oldest frames instead of refusing new frames.
        public var dropsOldest = false
        /// How long the stream recognizes the id of a frame that is sent again.
        public var duplicateWindow = Duration.seconds(120)

        /// Creates the settings of a stream on one server that drops nothing.
        public init() {}
    }

    /// The credentials of the connection, or nil if the server does not require any.
    public var identity: NATSIdentity?
    /// The encryption, or nil for none unless the address starts with `tls:`.
    public var encryption: NATSEncryption?
    /// The settings of a new stream.
    public var stream = Stream()
    /// The name that the server shows for the connection.
    public var name = "Tidings"
    /// The maximum time of one attempt to connect to one server.
    public var connectTimeout = Duration.seconds(2)
    /// The maximum time during which the network accepts no bytes before the connection counts as
    /// lost.
    public var writeDeadline = Duration.seconds(2)
    /// The interval of the pings, of which two without an answer mean that the connection is lost.
    public var pingInterval = Duration.seconds(1)
    /// The maximum time for the server's answer to a request.
    public var answerTimeout = Duration.seconds(3)
    /// The maximum time that a reader waits for a frame or a heartbeat.
    ///
    /// After that time, the connection counts as lost.
    package var silence = Duration.seconds(2)
    /// The first tokens of the subjects to which the server answers.
    ///
    /// A user whose permissions allow only other inboxes needs another value.
    public var inboxPrefix = "_INBOX"

    /// Creates the default settings.
    public init() {}
}
#endif
