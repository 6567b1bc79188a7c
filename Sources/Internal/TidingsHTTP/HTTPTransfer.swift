// SPDX-License-Identifier: Apache-2.0

/// The response to a request, complete or stopped by the receiver.
package struct HTTPTransfer: Sendable {
    /// The reason why the body counts as ended.
    package enum BodyEnd: Hashable, Sendable {
        /// The body had the announced Content-Length.
        case length
        /// The last chunk of a chunked body arrived.
        case chunked
        /// The HTTP/2 stream ended without an announced length.
        ///
        /// Bytes may be missing, because libcurl does not report a server that abandons a stream
        /// with `RST_STREAM` and `NO_ERROR`. A proxy does so when the server behind the proxy has
        /// failed.
        case stream
        /// The connection was closed, so missing bytes cannot be detected.
        case connectionClosed
        /// The response has no body because of HEAD, 204 or 304.
        case none
        /// The receiver stopped the transfer, so the later bytes are unknown.
        case stopped(HTTPDecision.Stop)

        /// Whether no bytes can be missing before the end or the receiver's stop.
        package var isProven: Bool { self != .stream && self != .connectionClosed }
    }

    /// The head of the final response.
    package let head: HTTPResponseHead
    /// The number of bytes that the receiver got.
    package let bodyBytes: Int64
    /// How the end of the body was detected.
    package let bodyEnd: BodyEnd
    /// Whether other transfers may have shared the connection, as with HTTP/2.
    package let isMultiplexed: Bool
    /// The redirect targets in order.
    ///
    /// The last target sent the response.
    package let redirects: [WebAddress]
    /// The last target to which only permanent redirects (301 and 308) have led, or nil without
    /// one.
    package let permanentAddress: WebAddress?
}

/// Receives a response piece by piece.
///
/// The client calls the receiver on the client's thread, one call at a time, and only with the
/// final response, not with redirects. While a call runs, all other transfers of that client wait.
package protocol HTTPReceiver: AnyObject, Sendable {
    /// Receives the head, before any byte of the body.
    ///
    /// Throwing stops the transfer with `HTTPError.Code.stopped` and the thrown error as the cause.
    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision

    /// Receives the next bytes of the body, which are valid only during the call.
    ///
    /// Throwing stops the transfer with `HTTPError.Code.stopped` and the thrown error as the cause.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision
}

/// The decision of a receiver about the rest of a response.
package enum HTTPDecision: Hashable, Sendable {
    /// A reason to stop a transfer without a failure.
    package enum Stop: Hashable, Sendable {
        /// The receiver needs no more bytes.
        case complete
        /// The response is not useful, and the caller makes another request.
        case restart(reason: String)
    }

    /// The receiver takes the rest of the response.
    case proceed
    /// `perform` returns, with `HTTPTransfer.BodyEnd.stopped` as the end of the body.
    case stop(Stop)
}
