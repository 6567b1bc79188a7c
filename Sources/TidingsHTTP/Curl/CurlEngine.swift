// SPDX-License-Identifier: Apache-2.0
internal import CTidingsCurl
internal import Glibc
internal import Synchronization
internal import Tidings

/// One multi handle on one thread.
///
/// Calls hand a command over under the lock and wake the thread, which otherwise sleeps until a
/// socket or libcurl's own next deadline wants it.
final class CurlEngine: Sendable {
    let configuration: HTTPClient.Configuration
    let connectionGuard: ConnectionGuard
    /// How often the thread woke up.
    let loopTurns = Atomic<Int>(0)
    private let state: Lock<State>

    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange.Cancellation)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Nil when the thread has ended: nobody is left to be woken.
        var multi: MultiHandle?
        var thread: pthread_t?
    }

    /// What the engine's thread works with.
    ///
    /// Unchecked: others only wake it by `curl_multi_wakeup`, which libcurl allows, and under the
    /// lock, where the handle is taken away before it is freed.
    private struct MultiHandle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(_ configuration: HTTPClient.Configuration) {
        self.configuration = configuration
        connectionGuard = ConnectionGuard(configuration)
        let multi = Self.isLibraryReady ? curl_multi_init() : nil
        state = Lock(State(isClosed: multi == nil, multi: multi.map(MultiHandle.init)))
        guard let handle = multi.map(MultiHandle.init) else { return }
        let thread = CurlThread.start { [self] in
            var loop = CurlLoop(multi: handle.pointer, engine: self)
            loop.run()
        }
        state.withLock { state in
            state.thread = thread
            if thread == nil {
                state.isClosed = true
                state.multi = nil
            }
        }
        if thread == nil { curl_multi_cleanup(handle.pointer) }
    }

    func perform(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver
    )
        async throws(HTTPError) -> HTTPTransfer
    {
        let cancellation = CurlExchange.Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exchange = CurlExchange(
                    request,
                    receiver: receiver,
                    engine: self,
                    cancellation: cancellation,
                    continuation: continuation
                )
                if !hand(.start(exchange)) { exchange.close() }
            }
        } onCancel: {
            cancellation.cancel()
            _ = hand(.cancel(cancellation))
        }
        return try result.get()
    }

    func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            if let multi = state.multi { curl_multi_wakeup(multi.pointer) }
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// Gives the thread what it was handed; after the last word, `isClosed`, nothing more comes.
    func takeCommands() -> (commands: [Command], isClosed: Bool) {
        loopTurns.add(1, ordering: .relaxed)
        return state.withLock { state in
            defer { state.commands = [] }
            return (state.commands, state.isClosed)
        }
    }

    /// The thread is about to free the multi handle.
    func threadEnds() {
        state.withLock { $0.multi = nil }
    }

    private func hand(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed, let multi = state.multi else { return false }
            state.commands.append(command)
            curl_multi_wakeup(multi.pointer)
            return true
        }
    }
}
