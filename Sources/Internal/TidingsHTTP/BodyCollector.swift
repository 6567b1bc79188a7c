// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A receiver that stores a small body in memory.
final class BodyCollector: HTTPReceiver {
    private struct State {
        var body: [UInt8] = []
        var isSuccess = true
        var ignored = 0
    }

    /// The number of bytes of an error page beyond the limit that are read before the transfer
    /// stops.
    private static let maximumIgnored = 1 << 20

    private let limit: Int
    private let request: HTTPRequest
    private let state = Lock(State())

    init(_ request: HTTPRequest, limit: Int) {
        self.limit = limit
        self.request = request
    }

    var body: [UInt8] { state.withLock { $0.body } }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        state.withLock { $0.isSuccess = head.isSuccess }
        guard head.isSuccess, request.method != .head else { return .proceed }
        if let length = head.contentLength, length > limit { throw tooLarge() }
        return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        let limit = limit
        let fits = state.withLock { state in
            let count = min(bytes.count, limit - state.body.count)
            state.body.append(contentsOf: bytes[..<count])
            state.ignored += bytes.count - count
            return state.ignored <= (state.isSuccess ? 0 : Self.maximumIgnored)
        }
        if !fits { throw tooLarge() }
        return .proceed
    }

    private func tooLarge() -> HTTPError {
        HTTPError(
            .tooLarge,
            "\(request.address.redacted) is larger than the limit of \(limit) bytes."
        )
    }
}
