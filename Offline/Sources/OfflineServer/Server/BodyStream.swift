// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TidingsLock

/// The body of one request on the way from the server's thread to the receiver.
///
/// The server's thread never waits for the receiver. A full buffer suspends the connection until
/// the receiver has taken the buffer, so that the client sends no faster than the disk writes.
final class BodyStream: Sendable {
    /// The maximum number of waiting bytes.
    ///
    /// The receiver may be processing as many bytes again.
    static let bufferBytes = 256 << 10

    private struct State {
        var buffer: [UInt8] = []
        var count: Int64 = 0
        var isTaking = false
        var isInterrupted = false
        var refusal: ServerResponse?
        /// Resumes the connection that waits for room in the buffer.
        var resume: (@Sendable () -> Void)?
        var task: Task<Void, Never>?

        var isFull: Bool { buffer.count >= BodyStream.bufferBytes }

        /// Returns the buffer and the connection to resume, or nil if the buffer is empty.
        mutating func removePiece() -> (piece: [UInt8], resume: (@Sendable () -> Void)?)? {
            guard !buffer.isEmpty else {
                isTaking = false
                return nil
            }
            defer { (buffer, resume) = ([], nil) }
            return (buffer, resume)
        }
    }

    /// The announced number of bytes.
    let length: Int64
    private let receiver: any BodyReceiver
    private let queue = DispatchQueue(label: "offline.body")
    private let state = Lock(State())

    /// Creates a stream of `length` bytes.
    init(length: Int64, to receiver: any BodyReceiver) {
        self.length = length
        self.receiver = receiver
    }

    /// The number of bytes that have arrived.
    var count: Int64 { state.withLock(\.count) }

    /// Whether the server is stopping.
    var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// Starts the receiver, then calls `next` with the response if the receiver refuses the body.
    func begin(_ next: @escaping @Sendable (ServerResponse?) -> Void) {
        run { next(await self.receiver.begin()) }
    }

    /// Ends the receiver, then calls `next` with the response.
    func end(_ next: @escaping @Sendable (ServerResponse) -> Void) {
        run {
            // The queue has passed all waiting pieces to the receiver after this call.
            await withCheckedContinuation { done in self.queue.async { done.resume() } }
            let refusal = self.state.withLock(\.refusal)
            if let refusal { next(refusal) } else { next(await self.receiver.end()) }
        }
    }

    /// Buffers a piece on the server's thread.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - suspend: Suspends the connection. Returns false if the server is stopping.
    ///   - resume: Resumes the connection, from any thread.
    /// - Returns: False if the connection must close.
    func receive(
        _ bytes: UnsafeRawBufferPointer,
        suspend: () -> Bool,
        resume: @escaping @Sendable () -> Void
    ) -> Bool {
        let (begins, isFull) = state.withLock { state in
            state.count += Int64(bytes.count)
            // The rest of a refused body is read, because the client reads no response before the
            // end.
            if state.refusal == nil { state.buffer.append(contentsOf: bytes) }
            defer { state.isTaking = state.isTaking || !state.buffer.isEmpty }
            return (!state.isTaking && !state.buffer.isEmpty, state.isFull)
        }
        if begins { queue.async { self.take() } }
        guard isFull else { return true }
        guard suspend() else { return false }
        let hasRoom = state.withLock { state in
            if state.isFull { state.resume = resume }
            return !state.isFull
        }
        if hasRoom { resume() }
        return true
    }

    /// Ends a wait of the receiver because the server is stopping.
    func interrupt() {
        let task = state.withLock { state in
            state.isInterrupted = true
            return state.task
        }
        task?.cancel()
    }

    /// Lets the receiver remove partial data after the end of the request.
    func close() {
        queue.async { self.receiver.cancel() }
    }

    private func run(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isInterrupted = state.withLock { state in
            state.task = task
            return state.isInterrupted
        }
        if isInterrupted { task.cancel() }
    }

    /// Passes the buffer to the receiver until the buffer is empty.
    private func take() {
        while let (piece, resume) = state.withLock({ $0.removePiece() }) {
            resume?()
            guard let refusal = receiver.receive(piece) else { continue }
            let waiting = state.withLock { state in
                state.refusal = refusal
                state.buffer = []
                defer { state.resume = nil }
                return state.resume
            }
            waiting?()
        }
    }
}
