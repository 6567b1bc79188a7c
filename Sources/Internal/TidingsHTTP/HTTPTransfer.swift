// SPDX-License-Identifier: Apache-2.0

/// The response to a request, complete or stopped by its receiver.
package struct HTTPTransfer: Sendable {
    /// The fact that marked the end of the body.
    package enum BodyEnd: Hashable, Sendable {
        /// The body had the announced Content-Length.
        case length
        /// The last chunk of a chunked body arrived.
        case chunked
        /// The HTTP/2 stream ended without an announced length.
        ///
        /// Bytes may be missing: libcurl does not report a server that gives a stream up with
        /// `RST_STREAM` and `NO_ERROR`, as proxies do whose own server has failed.
        case stream
        /// The connection was closed; missing bytes cannot be detected.
        case connectionClosed
        /// There is no body: HEAD, 204 or 304.
        case none
        /// The receiver stopped the transfer, whose later bytes are unknown.
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
    /// The redirect targets in order; the last one sent the response.
    package let redirects: [WebAddress]
    /// The last target to which only permanent redirects (301 and 308) have led; nil without one.
    package let permanentAddress: WebAddress?
}

/// Receives a response as it arrives.
///
/// The client calls it on its own thread, one call at a time, and only with the final response, not
/// with redirects. While a call runs, all other transfers of that client wait.
package protocol HTTPReceiver: AnyObject, Sendable {
    /// Receives the head, before any byte of the body.
    ///
    /// Throwing stops the transfer with `HTTPError.Code.stopped` and the thrown error as its cause.
    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision

    /// Receives the next bytes of the body, which are valid only during the call.
    ///
    /// Throwing stops the transfer with `HTTPError.Code.stopped` and the thrown error as its cause.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision
}

/// The decision of a receiver about the rest of a response.
package enum HTTPDecision: Hashable, Sendable {
    /// A reason to stop a transfer that is no failure.
    package enum Stop: Hashable, Sendable {
        /// The receiver has all the bytes that it needs.
        case complete
        /// The response is of no use; the caller makes another request.
        case restart(reason: String)
    }

    /// The receiver takes the rest of the response.
    case proceed
    /// `perform` returns, with `HTTPTransfer.BodyEnd.stopped` as the end of the body.
    case stop(Stop)
}
