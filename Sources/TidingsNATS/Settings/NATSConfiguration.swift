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
    /// The settings of a stream that the transport creates; one that exists keeps its own.
    public struct Stream: Sendable {
        /// The number of servers of a cluster that store each frame.
        public var replicas = 1
        /// The size in bytes that the stream may reach; nil: what the server allows.
        public var largestSize: Int?
        /// The age at which the stream drops a frame; nil: never.
        public var oldestAge: Duration?
        /// Whether a full stream drops its oldest frames; otherwise it refuses new ones.
        public var dropsOldest = false
        /// How long the stream recognizes the id of a frame that is sent again.
        public var duplicateWindow = Duration.seconds(120)

        /// Creates the settings of a stream on one server that drops nothing.
        public init() {}
    }

    /// How the connection proves who it is; nil if the server does not ask.
    public var identity: NATSIdentity?
    /// The encryption; nil: none, unless the address begins with `tls:`.
    public var encryption: NATSEncryption?
    /// The settings of a new stream.
    public var stream = Stream()
    /// The name that the server shows for the connection.
    public var name = "Tidings"
    /// How long one attempt to connect to one server may take.
    public var connectTimeout = Duration.seconds(2)
    /// How long the network may accept no bytes before the connection counts as lost.
    public var writeDeadline = Duration.seconds(2)
    /// The interval of the pings; a connection with two of them unanswered counts as lost.
    public var pingInterval = Duration.seconds(1)
    /// How long the server may take to answer a request.
    public var answerTimeout = Duration.seconds(3)
    /// How long a reader waits for a frame or a heartbeat before the connection counts as lost.
    package var silence = Duration.seconds(2)
    /// The first tokens of the subjects to which the server answers.
    ///
    /// A user whose permissions allow other inboxes only needs another value.
    public var inboxPrefix = "_INBOX"

    /// Creates the default settings.
    public init() {}
}
#endif
