// SPDX-License-Identifier: Apache-2.0
import COfflineHTTPServer
import TidingsLock

/// A connection of libmicrohttpd.
///
/// Unchecked: libmicrohttpd allows any thread to resume a suspended connection, and every other
/// use of the pointer happens on the server's thread.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// The state that the C callbacks of one server share.
final class DaemonContext: Sendable {
    private struct State {
        /// The number of connections that are suspended or inside `resume`.
        var suspended = 0
        /// The number of requests whose response is not completely sent.
        var exchanges = 0
        var isDraining = false
        var streams: [ObjectIdentifier: EventStream] = [:]
        var bodies: [ObjectIdentifier: BodyStream] = [:]
        var drained: CheckedContinuation<Void, Never>?
        var finished: CheckedContinuation<Void, Never>?

        mutating func removeDrained() -> CheckedContinuation<Void, Never>? {
            guard suspended == 0 else { return nil }
            defer { drained = nil }
            return drained
        }

        mutating func removeFinished() -> CheckedContinuation<Void, Never>? {
            defer { finished = nil }
            return finished
        }
    }

    /// The time for which `drain` waits for responses in progress.
    private static let drainTimeout = Duration.milliseconds(500)

    let limits: HTTPServer.Limits
    let admit: HTTPServer.Admission
    private let respond: HTTPServer.Responder
    let receive: HTTPServer.Reception
    private let state = Lock(State())

    init(
        limits: HTTPServer.Limits,
        admit: @escaping HTTPServer.Admission,
        respond: @escaping HTTPServer.Responder,
        receive: @escaping HTTPServer.Reception
    ) {
        self.limits = limits
        self.admit = admit
        self.respond = respond
        self.receive = receive
    }

    /// Suspends the connection.
    ///
    /// The caller must call `resume` exactly once.
    func suspend(_ connection: ConnectionHandle) {
        state.withLock { $0.suspended += 1 }
        MHD_suspend_connection(connection.pointer)
    }

    /// Suspends the connection like `suspend`.
    ///
    /// Returns false if the server is stopping.
    func suspendUnlessDraining(_ connection: ConnectionHandle) -> Bool {
        let mayWait = state.withLock { state in
            if !state.isDraining { state.suspended += 1 }
            return !state.isDraining
        }
        if mayWait { MHD_suspend_connection(connection.pointer) }
        return mayWait
    }

    /// Resumes a suspended connection on the server's thread.
    ///
    /// Any thread may call this method.
    func resume(_ connection: ConnectionHandle) {
        MHD_resume_connection(connection.pointer)
        let drained = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.suspended -= 1
            return state.removeDrained()
        }
        drained?.resume()
    }

    /// Counts a new request.
    func begin() {
        state.withLock { $0.exchanges += 1 }
    }

    /// Counts a request as finished after the response is sent or the connection has closed.
    func complete() {
        let finished = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.exchanges -= 1
            return state.exchanges == 0 ? state.removeFinished() : nil
        }
        finished?.resume()
    }

    /// Calls the responder in a task while the connection is suspended, then resumes the
    /// connection.
    func respond(to exchange: Exchange, on connection: ConnectionHandle) {
        suspend(connection)
        let request = exchange.request
        let respond = respond
        Task {
            exchange.finish(with: await respond(request))
            self.resume(connection)
        }
    }

    /// Registers a stream for `drain` to end.
    ///
    /// Returns false if the server is already stopping.
    func open(_ stream: EventStream) -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.streams[ObjectIdentifier(stream)] = stream
            return true
        }
    }

    /// Removes and ends a stream whose connection has closed.
    func close(_ stream: EventStream) {
        _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.end()
    }

    /// Registers a body for `drain` to interrupt.
    ///
    /// Returns false if the server is already stopping.
    func open(_ body: BodyStream) -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.bodies[ObjectIdentifier(body)] = body
            return true
        }
    }

    /// Removes and closes a body whose request is over.
    func close(_ body: BodyStream) {
        _ = state.withLock { $0.bodies.removeValue(forKey: ObjectIdentifier(body)) }
        body.close()
    }

    /// Ends all streams.
    func endStreams() {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.end() }
    }

    /// Ends all streams, interrupts all bodies and waits until no connection is suspended.
    ///
    /// Then the method waits for the responses in progress, for at most `drainTimeout`.
    func drain() async {
        let (streams, bodies) = state.withLock { state in
            state.isDraining = true
            return (Array(state.streams.values), Array(state.bodies.values))
        }
        for stream in streams { stream.end() }
        for body in bodies { body.interrupt() }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.suspended > 0 { state.drained = continuation }
                return state.suspended == 0
            }
            if isIdle { continuation.resume() }
        }
        let timer = Task {
            try? await Task.sleep(for: Self.drainTimeout)
            self.state.withLock { $0.removeFinished() }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.exchanges > 0 { state.finished = continuation }
                return state.exchanges == 0
            }
            if isIdle { continuation.resume() }
        }
        timer.cancel()
    }
}
