// SPDX-License-Identifier: Apache-2.0
import CTidingsHTTPServer
import Tidings

/// A connection of libmicrohttpd.
///
/// Unchecked: the library promises that a suspended connection may be resumed from any thread;
/// nothing else is done with it away from the server's own thread.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// What the C callbacks of one server share.
final class DaemonContext: Sendable {
    private struct State {
        /// Connections that wait suspended, or are being resumed right now.
        var suspended = 0
        /// Requests whose answer has not been sent whole.
        var exchanges = 0
        var isDraining = false
        var streams: [ObjectIdentifier: EventStream] = [:]
        var drained: CheckedContinuation<Void, Never>?
        var finished: CheckedContinuation<Void, Never>?

        mutating func takeDrained() -> CheckedContinuation<Void, Never>? {
            guard suspended == 0 else { return nil }
            defer { drained = nil }
            return drained
        }

        mutating func takeFinished() -> CheckedContinuation<Void, Never>? {
            defer { finished = nil }
            return finished
        }
    }

    /// How long `drain` lets answers go on that are being sent.
    private static let patience = Duration.milliseconds(500)

    let limits: HTTPServer.Limits
    let admit: HTTPServer.Admission
    private let respond: HTTPServer.Responder
    private let state = Lock(State())

    init(
        limits: HTTPServer.Limits,
        admit: @escaping HTTPServer.Admission,
        respond: @escaping HTTPServer.Responder
    ) {
        self.limits = limits
        self.admit = admit
        self.respond = respond
    }

    /// Suspends the connection; `resume` follows exactly once.
    func suspend(_ connection: ConnectionHandle) {
        state.withLock { $0.suspended += 1 }
        MHD_suspend_connection(connection.pointer)
    }

    /// Lets the server's thread go on with a suspended connection.
    func resume(_ connection: ConnectionHandle) {
        MHD_resume_connection(connection.pointer)
        let drained = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.suspended -= 1
            return state.takeDrained()
        }
        drained?.resume()
    }

    /// Counts a request that has begun.
    func begin() {
        state.withLock { $0.exchanges += 1 }
    }

    /// Counts a request whose answer was sent, or whose connection is gone.
    func complete() {
        let finished = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.exchanges -= 1
            return state.exchanges == 0 ? state.takeFinished() : nil
        }
        finished?.resume()
    }

    /// Answers the exchange's request on a task while its connection is suspended.
    func work(on exchange: Exchange, _ connection: ConnectionHandle) {
        suspend(connection)
        let request = exchange.request
        let respond = respond
        Task {
            exchange.finish(with: await respond(request))
            self.resume(connection)
        }
    }

    /// Notes a stream that `drain` has to end; false if the server is stopping already.
    func open(_ stream: EventStream) -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.streams[ObjectIdentifier(stream)] = stream
            return true
        }
    }

    /// Forgets a stream whose connection is gone, and ends it for its writers.
    func close(_ stream: EventStream) {
        _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.end()
    }

    /// Ends all streams and returns when no connection is suspended and what was being sent is
    /// sent, as far as that takes no more than a moment.
    func drain() async {
        let streams = state.withLock { state in
            state.isDraining = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.end() }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.suspended > 0 { state.drained = continuation }
                return state.suspended == 0
            }
            if isIdle { continuation.resume() }
        }
        let timer = Task {
            try? await Task.sleep(for: Self.patience)
            self.state.withLock { $0.takeFinished() }?.resume()
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
