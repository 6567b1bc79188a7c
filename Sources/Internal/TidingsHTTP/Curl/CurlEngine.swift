// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Glibc
import Synchronization
import TidingsLock

/// A thread that drives one multi handle of libcurl.
///
/// Callers enqueue commands under the lock and wake the thread, which otherwise sleeps until a
/// socket is ready or libcurl's next deadline passes.
final class CurlEngine: Sendable {
    let configuration: HTTPClient.Configuration
    let connectionGuard: ConnectionGuard
    /// The number of times that the thread has woken up, for tests.
    let loopTurns = Atomic<Int>(0)
    private let state: Lock<State>

    enum Command {
        case start(CurlOperation)
        case cancel(CurlOperation.Cancellation)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Nil when the thread has ended.
        var multi: MultiHandle?
        var thread: pthread_t?
    }

    /// The multi handle, which the engine's thread uses.
    ///
    /// Unchecked: other threads only call `curl_multi_wakeup`, which libcurl allows on any thread.
    /// These calls happen under the lock. The engine's thread also removes the handle under the
    /// lock, before the thread frees the handle.
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
        // One HTTP/2 connection carries all requests to a host, as far as the server permits.
        tidings_curl_multi_set_long(handle.pointer, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX)
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
        let cancellation = CurlOperation.Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let operation = CurlOperation(
                    request,
                    receiver: receiver,
                    engine: self,
                    cancellation: cancellation,
                    continuation: continuation
                )
                if !enqueue(.start(operation)) { operation.close() }
            }
        } onCancel: {
            cancellation.cancel()
            _ = enqueue(.cancel(cancellation))
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

    /// Removes and returns the pending commands.
    ///
    /// None follow after `isClosed`.
    func removeCommands() -> (commands: [Command], isClosed: Bool) {
        loopTurns.add(1, ordering: .relaxed)
        return state.withLock { state in
            defer { state.commands = [] }
            return (state.commands, state.isClosed)
        }
    }

    /// Called by the thread before the thread frees the multi handle.
    func threadWillEnd() {
        state.withLock { $0.multi = nil }
    }

    private func enqueue(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed, let multi = state.multi else { return false }
            state.commands.append(command)
            curl_multi_wakeup(multi.pointer)
            return true
        }
    }
}
