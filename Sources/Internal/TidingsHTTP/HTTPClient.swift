// SPDX-License-Identifier: Apache-2.0

/// A client for HTTP/1.1 and HTTP/2 that runs on its own thread.
///
/// It takes nothing from the environment: no proxy, no netrc file, no cookies. It never
/// decompresses bodies. It reuses connections for later requests to the same host, and sends
/// concurrent ones over one HTTP/2 connection, but shares none with other clients, so that two
/// address policies never share one. Releasing the last reference closes the client.
///
/// ```swift
/// let client = HTTPClient()
/// let (transfer, body) = try await client.fetch(HTTPRequest(address), limit: 4 << 20)
/// ```
package final class HTTPClient: Sendable {
    let engine: CurlEngine

    /// Creates a client and starts its thread.
    package init(_ configuration: Configuration = .init()) {
        engine = CurlEngine(configuration)
    }

    deinit {
        engine.close()
    }

    /// Sends a request, follows redirects, and passes the final response to `receiver`.
    ///
    /// A status such as 404 is a response, not an error. If the receiver decides to stop, the
    /// transfer is returned with that decision. Cancelling the task stops the transfer.
    /// After the method has returned or thrown, the receiver is not called again.
    ///
    /// - Throws: `cut` when the body is shorter than announced; `cancelled`; `stopped` when the
    ///   receiver has thrown; every other code except `tooLarge`.
    package func perform(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver
    )
        async throws(HTTPError) -> HTTPTransfer
    {
        try request.validate()
        return try await engine.perform(request, receiver: receiver)
    }

    /// Sends a request and returns the final response with its body.
    ///
    /// The body of an unsuccessful response is silently truncated at the limit.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - limit: The maximum size of the body in bytes.
    /// - Returns: The transfer and its body.
    /// - Throws: `tooLarge` when the body of a successful response exceeds the limit; otherwise the
    ///   errors of `perform`.
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
    /// It does not wait if a receiver calls it. Later requests fail with `closed`.
    package func close() {
        engine.close()
    }
}
