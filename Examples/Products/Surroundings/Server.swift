// SPDX-License-Identifier: Apache-2.0

/// A server that answers when the script says so.
@MainActor
final class Server<Answer: Sendable> {
    /// How often it has answered.
    private(set) var count = 0
    private var requests: [CheckedContinuation<Answer, any Error>] = []
    private var script: CheckedContinuation<Void, Never>?

    /// Asks it.
    ///
    /// It answers also those who do not want to know any more, as servers do.
    func request() async throws -> Answer {
        try await withCheckedThrowingContinuation {
            requests.append($0)
            script.take()?.resume()
        }
    }

    func waitForRequest() async {
        if requests.isEmpty { await withCheckedContinuation { script = $0 } }
    }

    /// Answers the oldest request, as soon as there is one.
    func answer(_ answer: Result<Answer, any Error>) async {
        await waitForRequest()
        count += 1
        requests.removeFirst().resume(with: answer)
    }
}
