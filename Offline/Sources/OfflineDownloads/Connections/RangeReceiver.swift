// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP
import TidingsLock

/// Writes the response for a range into a spread file.
final class RangeReceiver: HTTPReceiver {
    /// The reason why a response was dropped.
    enum Refusal: Sendable {
        /// The server does not offer this range.
        case refused(HTTPResponseHead)
        /// The server's file has changed.
        case changed
    }

    private let request: RangeRequest
    private let write: @Sendable (UnsafeRawBufferPointer) throws -> HTTPDecision
    private let state = Lock<Refusal?>(nil)

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - request: The request for the range.
    ///   - write: Writes bytes of the range.
    init(
        _ request: RangeRequest,
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPDecision
    ) {
        self.request = request
        self.write = write
    }

    /// The reason why the response was dropped.
    ///
    /// The value is nil if the body was written, and before the head arrives.
    var refusal: Refusal? { state.withLock { $0 } }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        switch request.decision(for: head) {
        case .accept: return .proceed
        case .refuse: state.withLock { $0 = .refused(head) }
        case .changed: state.withLock { $0 = .changed }
        }
        return .stop(.complete)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        try write(bytes)
    }
}
