// SPDX-License-Identifier: Apache-2.0

/// Fetches over HTTP/1.1 and HTTP/2 on one thread of its own.
///
/// It takes nothing from the environment: no proxy, no netrc file, no cookies, and bodies arrive as
/// they were sent, never decompressed. Connections are kept for the next request to the same host,
/// within one client only, so that two policies never share one. Letting go of the last reference
/// closes it.
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

    /// Sends a request, follows redirects, and hands the final answer to `receiver`.
    ///
    /// A status such as 404 is an answer, not an error. Cancelling the task stops the transfer.
    /// When this returns or throws, the receiver is not called any more.
    ///
    /// - Throws: `cut` when the body is shorter than announced; `cancelled`; `stopped` when the
    ///   receiver threw; every other code but `tooLarge`.
    package func perform(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver
    )
        async throws(HTTPError) -> HTTPTransfer
    {
        try request.validate()
        return try await engine.perform(request, receiver: receiver)
    }

    /// Sends a request and returns the final answer with its body.
    ///
    /// The body of an unsuccessful answer is cut off silently at the limit: the status counts.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - limit: The largest body in bytes.
    /// - Returns: The transfer and all bytes of its body.
    /// - Throws: `tooLarge` when a successful answer is larger; else as `perform`.
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
    /// Called by a receiver it does not wait. Later requests fail with `closed`.
    package func close() {
        engine.close()
    }
}
