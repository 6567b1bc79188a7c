// SPDX-License-Identifier: Apache-2.0
#if NATS
/// The settings of one connection, which make one attempt at one server.
struct ClientSettings: Sendable {
    var host: String
    var port: Int
    var name: String
    var connectTimeout: Duration
    var writeDeadline: Duration
    var pingInterval: Duration
    var unansweredPings: Int
    /// Whether the connection also receives the messages that it sends.
    var hasEcho = true
    var identity: ResolvedIdentity?
    var tls: ResolvedTLS?
}

/// The callbacks for events of a connection, which the library calls on the library's threads.
struct ClientEvents: Sendable {
    /// Called once after the connection has ended.
    var ended: @Sendable () -> Void
    /// Called with the text of a server error that does not end the connection.
    var failed: @Sendable (String) -> Void
}
#endif
