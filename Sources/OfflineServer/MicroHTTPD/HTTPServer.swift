// SPDX-License-Identifier: Apache-2.0
import CTidingsHTTPServer
import Foundation
import Tidings

/// An HTTP/1.1 server on one thread of libmicrohttpd, in terms of values.
///
/// Every request is admitted by its head alone, on the server's thread; then, while the connection
/// waits suspended, an async function answers it on a task of its own. So library work never holds
/// the server's thread. All C pointers of the server stand in this folder.
final class HTTPServer: Sendable {
    /// Returns the answer to a request that is refused by its head, nil to let it in.
    typealias Admission = @Sendable (ServerRequest) -> ServerResponse?
    /// Answers a request that was let in.
    typealias Responder = @Sendable (ServerRequest) async -> ServerResponse

    /// Bounds on what clients can use.
    struct Limits: Sendable {
        /// A thousand pages on their event streams and as many short requests beside them.
        var connections: UInt32 = 2_048
        /// Seconds without a byte moved after which a connection counts as dead.
        var idleSeconds: UInt32 = 30
        /// The same for a file: a paused player stops reading for minutes.
        var fileIdleSeconds: UInt32 = 900
        /// Bytes for the head of one request.
        var headBytes = 24 * 1_024
        /// Bytes of a request's body.
        var bodyBytes = 64 * 1_024
    }

    /// What libmicrohttpd knows the server by.
    ///
    /// Unchecked: nothing is done with it but to end it, which any thread may except the server's
    /// own, and which falls to the one who takes it out of the lock.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let context: DaemonContext
    private let daemon: Lock<Daemon?>

    /// Starts answering on the socket, which belongs to the server from now on.
    init(
        on socket: ListeningSocket,
        limits: Limits = Limits(),
        admit: @escaping Admission,
        respond: @escaping Responder
    ) throws(ServerError) {
        Self.raiseDescriptorLimit(to: UInt64(limits.connections) * 2 + 512)
        context = DaemonContext(limits: limits, admit: admit, respond: respond)
        var settings = tidings_http_settings()
        settings.listen_socket = socket.descriptor
        settings.connection_limit = limits.connections
        settings.timeout_seconds = limits.idleSeconds
        settings.connection_memory = limits.headBytes
        // Released by `stop`, after the thread that uses it has ended.
        let unmanaged = Unmanaged.passRetained(context)
        let started = tidings_http_start(
            &settings,
            receiveRequest,
            completeRequest,
            unmanaged.toOpaque()
        )
        guard let started else {
            unmanaged.release()
            close(socket.descriptor)
            throw ServerError(.cannotListen, "The HTTP server's thread could not be started.")
        }
        daemon = Lock(Daemon(pointer: started))
    }

    /// Ends the event streams, waits for the requests that are being answered, closes all
    /// connections and joins the thread.
    ///
    /// A file that is still being sent after half a second is cut. A second call returns at once.
    func stop() async {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let daemon else { return }
        let socket = MHD_quiesce_daemon(daemon.pointer)
        // The library stops only when no connection is suspended any more.
        await context.drain()
        MHD_stop_daemon(daemon.pointer)
        if socket >= 0 { close(socket) }
        Unmanaged.passUnretained(context).release()
    }

    /// Lets the process open as many descriptors as the connections need, within its hard limit.
    private static func raiseDescriptorLimit(to wanted: UInt64) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
