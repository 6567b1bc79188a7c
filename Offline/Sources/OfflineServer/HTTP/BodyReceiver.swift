// SPDX-License-Identifier: Apache-2.0

/// Receives the body of one request piece by piece, so that a large body is never in memory as a
/// whole.
///
/// The server calls one method after the other, and never on the server's own thread.
protocol BodyReceiver: Sendable {
    /// Prepares for the body. Returns a response to refuse the body.
    func begin() async -> ServerResponse?
    /// Receives the next bytes. May block for the disk.
    ///
    /// - Returns: A response if the receiver accepts no further bytes.
    func receive(_ bytes: [UInt8]) -> ServerResponse?
    /// Returns the response after the last byte.
    func end() async -> ServerResponse
    /// Called once the request is over. If called before `end`, the connection has closed.
    func cancel()
}
