// SPDX-License-Identifier: Apache-2.0

/// A simulated server, whose responses the script triggers.
@MainActor
final class Server<Response: Sendable> {
    /// The number of responses.
    private(set) var count = 0
    private var requests: [CheckedContinuation<Response, any Error>] = []
    private var waiter: CheckedContinuation<Void, Never>?

    /// Sends a request.
    ///
    /// Like a real server, this server also responds to cancelled requests.
    func request() async throws -> Response {
        try await withCheckedThrowingContinuation {
            requests.append($0)
            waiter.take()?.resume()
        }
    }

    func waitForRequest() async {
        if requests.isEmpty { await withCheckedContinuation { waiter = $0 } }
    }

    /// Responds to the oldest request, once there is a request.
    func respond(_ response: Result<Response, any Error>) async {
        await waitForRequest()
        count += 1
        requests.removeFirst().resume(with: response)
    }
}
