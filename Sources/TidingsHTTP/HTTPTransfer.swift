// SPDX-License-Identifier: Apache-2.0

/// A request that was answered to the end.
package struct HTTPTransfer: Sendable {
    /// What said that the body was over.
    package enum BodyEnd: String, Hashable, Sendable {
        /// As many bytes as Content-Length announced.
        case length
        /// The last chunk of a chunked body, or the end of a stream of HTTP/2.
        case chunked
        /// Only the end of the connection: bytes may be missing and nobody can tell.
        case connectionClosed
        /// There is no body: HEAD, 204, 304.
        case none
    }

    package let head: HTTPResponseHead
    /// How many bytes the receiver was given.
    package let bodyBytes: Int64
    package let bodyEnd: BodyEnd
    /// The addresses the request was sent on to, in order; the last one answered.
    package let redirects: [WebAddress]
}

/// Takes an answer as it arrives.
///
/// Called on the client's own thread, one call at a time, and only with the final answer, never
/// with a redirect. As long as a call runs, no transfer of that client goes on.
package protocol HTTPReceiver: AnyObject, Sendable {
    /// Takes the head, before any byte of the body.
    ///
    /// Throwing stops the transfer with `HTTPError.Code.stopped`; the cause is what was thrown.
    func receive(_ head: HTTPResponseHead) throws

    /// Takes the next bytes of the body, valid only during the call.
    ///
    /// Throwing stops the transfer with `HTTPError.Code.stopped`; the cause is what was thrown.
    func receive(_ bytes: UnsafeRawBufferPointer) throws
}
