// SPDX-License-Identifier: Apache-2.0

/// Takes the body of one request piece by piece, so that a large one is never in memory.
///
/// The server calls one method after the other; none of them on its own thread.
protocol BodyReceiver: Sendable {
    /// Prepares for the body; returns the response to one that is refused.
    func begin() async -> ServerResponse?
    /// Takes the next bytes, and may block for the disk.
    ///
    /// - Returns: The response if no further bytes are wanted.
    func receive(_ bytes: [UInt8]) -> ServerResponse?
    /// Returns the response after the last byte.
    func end() async -> ServerResponse
    /// Called once the request is over; before `end`, its connection has closed.
    func cancel()
}
