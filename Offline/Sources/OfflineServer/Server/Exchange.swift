// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// One request as the parts arrive, and the response until the response is sent.
final class Exchange: Sendable {
    private struct State {
        var request: ServerRequest
        var response: ServerResponse?
        var isWorking = false
        var stream: BodyStream?
    }

    private let state: Lock<State>

    init(_ request: ServerRequest) {
        state = Lock(State(request: request))
    }

    /// The request with the part of the body that has arrived.
    var request: ServerRequest { state.withLock(\.request) }

    /// The body if a receiver takes the body piece by piece, or nil if the request contains the
    /// body.
    var stream: BodyStream? {
        get { state.withLock(\.stream) }
        set { state.withLock { $0.stream = newValue } }
    }

    /// Appends a piece of the body.
    ///
    /// Returns false if the body would exceed the limit.
    func append(_ bytes: UnsafeRawBufferPointer, limit: HTTPServer.Limits) -> Bool {
        state.withLock { state in
            let limit = limit.bodyBytes(of: state.request)
            guard state.request.body.count + bytes.count <= limit else { return false }
            state.request.body.append(contentsOf: bytes)
            return true
        }
    }

    /// Starts the work on the complete request.
    ///
    /// Returns true only for the first call.
    func beginWork() -> Bool {
        state.withLock { state in
            defer { state.isWorking = true }
            return !state.isWorking
        }
    }

    /// Stores the response for the server's thread.
    func finish(with response: ServerResponse) {
        state.withLock { $0.response = response }
    }

    /// Removes and returns the response, or returns nil without one.
    func removeResponse() -> ServerResponse? {
        state.withLock { state in
            defer { state.response = nil }
            return state.response
        }
    }
}
