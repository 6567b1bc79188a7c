// SPDX-License-Identifier: Apache-2.0
internal import Tidings

/// Keeps a small body in memory.
final class BodyCollector: HTTPReceiver {
    private struct State {
        var body: [UInt8] = []
        var isSuccess = true
        var ignored = 0
    }

    /// What is read of an error page beyond the limit before the server is hung up on.
    private static let maximumIgnored = 1 << 20

    private let limit: Int
    private let request: HTTPRequest
    private let state = Lock(State())

    init(_ request: HTTPRequest, limit: Int) {
        self.limit = limit
        self.request = request
    }

    var body: [UInt8] { state.withLock { $0.body } }

    func receive(_ head: HTTPResponseHead) throws {
        state.withLock { $0.isSuccess = head.isSuccess }
        guard head.isSuccess, request.method != .head else { return }
        if let length = head.contentLength, length > limit { throw tooLarge() }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let limit = limit
        let fits = state.withLock { state in
            let taken = min(bytes.count, limit - state.body.count)
            state.body.append(contentsOf: bytes[..<taken])
            state.ignored += bytes.count - taken
            return state.ignored <= (state.isSuccess ? 0 : Self.maximumIgnored)
        }
        if !fits { throw tooLarge() }
    }

    private func tooLarge() -> HTTPError {
        HTTPError(
            .tooLarge,
            "\(request.address.redacted) is larger than the \(limit) bytes allowed for what it is used for."
        )
    }
}
