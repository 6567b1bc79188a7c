// SPDX-License-Identifier: Apache-2.0

/// A client for HTTP/1.1 and HTTP/2 that runs on a separate thread.
///
/// The client takes no proxy, netrc file or cookies from the environment, and never decompresses
/// bodies. Later requests to the same host reuse connections, and concurrent requests share one
/// HTTP/2 connection. Two clients never share a connection, so that two address policies never
/// apply to one connection. Releasing the last reference closes the client.
///
/// ```swift
/// let client = HTTPClient()
/// let (transfer, body) = try await client.fetch(HTTPRequest(address), limit: 4 << 20)
/// ```
package final class HTTPClient: Sendable {
    let engine: CurlEngine

    /// Creates a client and starts the client's thread.
    package init(_ configuration: Configuration = .init()) {
        engine = CurlEngine(configuration)
    }

    deinit {
        engine.close()
    }

    /// Sends a request, follows redirects, and passes the final response to `receiver`.
    ///
    /// A status such as 404 is a response, not an error. If the receiver decides to stop, the
    /// transfer is returned with that decision. Cancelling the task stops the transfer. After the
    /// method has returned or thrown, the receiver is not called again.
    ///
    /// - Throws: `cut` when the body is shorter than announced, `cancelled`, `stopped` when the
    ///   receiver has thrown, and every other code except `tooLarge`.
    package func perform(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver
    )
        async throws(HTTPError) -> HTTPTransfer
    {
        try request.validate()
        return try await engine.perform(request, receiver: receiver)
    }

    /// Sends a request and returns the final response with the body.
    ///
    /// The body of an unsuccessful response is silently truncated at the limit.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - limit: The maximum size of the body in bytes.
    /// - Returns: The transfer and the body.
    /// - Throws: `tooLarge` when the body of a successful response exceeds the limit, or an error
    ///   of `perform`.
    package func fetch(
        _ request: HTTPRequest,
        limit: Int
    )
        async throws(HTTPError) -> (transfer: HTTPTransfer, body: [UInt8])
    {
        let collector = BodyCollector(request, limit: limit)
        do {
            let transfer = try await perform(request, receiver: collector)
            return (transfer, collector.body)
        } catch {
            if error.code == .stopped, let cause = error.cause as? HTTPError { throw cause }
            throw error
        }
    }

    /// Ends all transfers with `closed` and waits for the thread to end.
    ///
    /// The call does not wait if the caller is a receiver. Later requests fail with `closed`.
    package func close() {
        engine.close()
    }
}
