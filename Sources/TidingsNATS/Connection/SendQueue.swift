// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
internal import TidingsBridge
import TidingsLock

/// Runs the calls that may block on the network, one after another, on a thread of its own.
///
/// The library collects what is sent, and its own thread writes it to the socket a millisecond
/// later. The queue writes earlier, once no other call waits: a lone frame is not late, and many
/// frames share one write.
final class SendQueue: Sendable {
    /// When the bytes of a call leave the buffer of the library.
    enum Writing {
        /// As soon as no other call waits.
        case soon
        /// Within a millisecond, or when the buffer is full: right for many frames, because a
        /// write that is asked for waits for an answer of the server.
        case later
    }

    private struct State {
        var waitingCalls = 0
        var waitingBytes = 0
    }

    /// The bytes of waiting calls up to which the sender of more need not wait for them.
    private static let waitingBytesLimit = 64 << 10

    private let queue = DispatchQueue(label: "tidings.nats")
    private let client: ClientConnection
    private let parts: NATSConnection.Parts
    private let answerTimeout: Duration
    private let state = Lock(State())

    /// - Parameters:
    ///   - client: Sends; its calls block.
    ///   - parts: Learns of a failed write.
    ///   - answerTimeout: How long the server may take to answer a ping.
    init(_ client: ClientConnection, _ parts: NATSConnection.Parts, answerTimeout: Duration) {
        self.client = client
        self.parts = parts
        self.answerTimeout = answerTimeout
    }

    /// Runs a call after those that wait.
    func run(_ writing: Writing = .soon, _ call: @escaping @Sendable () -> Void) {
        add(0, writing, call)
    }

    /// Runs a call after those that wait, and returns when it has ended, or at once while little
    /// waits.
    ///
    /// - Parameters:
    ///   - writing: When its bytes are written.
    ///   - size: The bytes that it keeps in memory while it waits.
    ///   - call: The call.
    func run(
        _ writing: Writing,
        size: Int,
        _ call: @escaping @Sendable () -> Void
    ) async {
        let waitingBytes = state.withLock { $0.waitingBytes }
        if waitingBytes + size <= Self.waitingBytesLimit { return add(size, writing, call) }
        await wait(writing, call)
    }

    /// Runs a call after those that wait, and returns when it has ended.
    func wait(_ writing: Writing = .soon, _ call: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            add(0, writing) {
                call()
                continuation.resume()
            }
        }
    }

    private func add(_ size: Int, _ writing: Writing, _ call: @escaping @Sendable () -> Void) {
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

    /// Writes what the library has collected.
    private func write() {
        // The library has no such call. A ping writes first, and then waits for the answer.
        do throws(ClientFailure) {
            try client.flush(within: answerTimeout)
        } catch {
            parts.end(after: error)
        }
    }
}
#endif
