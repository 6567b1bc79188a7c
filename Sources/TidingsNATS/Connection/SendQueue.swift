// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
internal import TidingsBridge
import TidingsLock

/// Runs the calls that may block on the network, one after another, on a separate thread.
///
/// The library collects bytes, and a thread of the library writes these bytes to the socket a
/// millisecond later. The queue writes earlier, as soon as no other call waits. So a lone frame is
/// not late, and many frames share one write.
final class SendQueue: Sendable {
    /// The time when the bytes of a call leave the buffer of the library.
    enum Writing {
        /// As soon as no other call waits.
        case soon
        /// Within a millisecond, or when the buffer is full.
        ///
        /// This choice is right for many frames, because a requested write waits for an answer of
        /// the server.
        case later
    }

    private struct State {
        var waitingCalls = 0
        var waitingBytes = 0
    }

    /// The number of waiting bytes up to which a sender need not wait.
    private static let waitingBytesLimit = 64 << 10

    private let queue = DispatchQueue(label: "tidings.nats")
    private let client: ClientConnection
    private let parts: NATSConnection.Parts
    private let answerTimeout: Duration
    private let state = Lock(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - client: The connection for sending, whose calls block.
    ///   - parts: The parts that are notified of a failed write.
    ///   - answerTimeout: The maximum time for the server's answer to a ping.
    init(_ client: ClientConnection, _ parts: NATSConnection.Parts, answerTimeout: Duration) {
        self.client = client
        self.parts = parts
        self.answerTimeout = answerTimeout
    }

    /// Runs a call after all waiting calls.
    func run(_ writing: Writing = .soon, _ call: @escaping @Sendable () -> Void) {
        add(0, writing: writing, call)
    }

    /// Runs a call after all waiting calls, and returns when the call has ended.
    ///
    /// If few bytes are waiting, the method returns immediately.
    ///
    /// - Parameters:
    ///   - writing: The time when the bytes of the call are written.
    ///   - size: The number of bytes that the call keeps in memory while waiting.
    ///   - call: The call.
    func run(
        _ writing: Writing,
        size: Int,
        _ call: @escaping @Sendable () -> Void
    ) async {
        let waitingBytes = state.withLock { $0.waitingBytes }
        if waitingBytes + size <= Self.waitingBytesLimit {
            return add(size, writing: writing, call)
        }
        await wait(writing, call)
    }

    /// Runs a call after all waiting calls, and returns when the call has ended.
    func wait(_ writing: Writing = .soon, _ call: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            add(0, writing: writing) {
                call()
                continuation.resume()
            }
        }
    }

    private func add(_ size: Int, writing: Writing, _ call: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.waitingCalls += 1
            state.waitingBytes += size
        }
        queue.async { [self] in
            call()
            let isLast = state.withLock { state in
                state.waitingCalls -= 1
                state.waitingBytes -= size
                return state.waitingCalls == 0
            }
            if isLast, writing == .soon, parts.end.reason == nil { write() }
        }
    }

    /// Writes the bytes that the library has collected.
    private func write() {
        // The library has no call that only writes. A ping writes first, and then waits for the
        // answer.
        do throws(ClientFailure) {
            try client.flush(within: answerTimeout)
        } catch {
            parts.end(after: error)
        }
    }
}
#endif
