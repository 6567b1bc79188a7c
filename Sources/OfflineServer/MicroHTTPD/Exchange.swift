// SPDX-License-Identifier: Apache-2.0
import Tidings

/// One request on its way in and the answer on its way out.
final class Exchange: Sendable {
    private struct State {
        var request: ServerRequest
        var response: ServerResponse?
        var isWorking = false
    }

    private let state: Lock<State>

    init(_ request: ServerRequest) {
        state = Lock(State(request: request))
    }

    /// The request as far as it has arrived.
    var request: ServerRequest { state.withLock(\.request) }

    /// Adds a piece of the body; false when it grows beyond `limit`.
    func append(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        state.withLock { state in
            guard state.request.body.count + bytes.count <= limit else { return false }
            state.request.body.append(contentsOf: bytes)
            return true
        }
    }

    /// True once, when the whole request has arrived.
    func beginWork() -> Bool {
        state.withLock { state in
            defer { state.isWorking = true }
            return !state.isWorking
        }
    }

    /// Keeps the answer for the server's thread.
    func finish(with response: ServerResponse) {
        state.withLock { $0.response = response }
    }

    /// Takes the answer, nil while there is none.
    func takeResponse() -> ServerResponse? {
        state.withLock { state in
            defer { state.response = nil }
            return state.response
        }
    }
}
