// SPDX-License-Identifier: Apache-2.0
import COfflineHTTPServer
import Foundation
import Tidings
import TidingsLock

/// An HTTP/1.1 server on one thread of libmicrohttpd, with requests and responses as values.
///
/// The server's thread admits every request by the head. Then the thread suspends the connection,
/// and a task calls the async responder, so that work in the library never blocks the server's
/// thread. Only the files in this folder use the server's C pointers.
final class HTTPServer: Sendable {
    /// Returns the response if the head of a request is refused, or nil to admit the request.
    typealias Admission = @Sendable (ServerRequest) -> ServerResponse?
    /// Returns the response to an admitted request.
    typealias Responder = @Sendable (ServerRequest) async -> ServerResponse
    /// Returns the closure that creates the receiver for the body of an admitted request, with the
    /// announced length.
    ///
    /// Returns nil if the request should contain the body.
    typealias Reception = @Sendable (ServerRequest) -> ((_ length: Int64) -> any BodyReceiver)?

    /// Limits on the resources that clients can use.
    struct Limits: Sendable {
        /// The number of connections, enough for a thousand event streams and as many short
        /// requests.
        var connections: UInt32 = 2_048
        /// The seconds without a transferred byte before the server closes a connection.
        var idleSeconds: UInt32 = 30
        /// The same limit for a file response, because a paused player stops reading for minutes.
        var fileIdleSeconds: UInt32 = 900
        /// The same limit for a body that a receiver takes, because a phone can lose the network
        /// for a while.
        var streamedIdleSeconds: UInt32 = 120
        /// The maximum size of a request's head, in bytes.
        var headBytes = 20 * 1_024
        /// The maximum size of a request's body, in bytes.
        var bodyBytes = 64 * 1_024
        /// The same limit for the import of a library, in which an item takes about 400 bytes.
        var importBytes = 64 << 20
        /// The same limit for a collection, in which an item takes some bytes.
        var collectionBytes = 2 << 20

        /// Returns the maximum size of the body of a request.
        func bodyBytes(of request: ServerRequest) -> Int {
            if request.path == "/api/import" { return importBytes }
            return request.path.hasPrefix("/api/collections") ? collectionBytes : bodyBytes
        }
    }

    /// The daemon's pointer.
    ///
    /// Unchecked: the code uses the pointer only to stop the daemon. Any thread except the daemon's
    /// own may stop the daemon, and only the caller that removes the pointer from the lock does.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let context: DaemonContext
    private let daemon: Lock<Daemon?>

    /// Starts a server on a socket.
    ///
    /// The server owns the socket even if the initializer throws.
    ///
    /// - Throws: `ServerError` with `.cannotListen` if the thread cannot start or libmicrohttpd
    ///   does not accept the certificate.
    init(
        on socket: ListeningSocket,
        limits: Limits = Limits(),
        certificate: ServerCertificate? = nil,
        admit: @escaping Admission,
        respond: @escaping Responder,
        receive: @escaping Reception = { _ in nil }
    ) throws(ServerError) {
        Self.raiseDescriptorLimit(to: UInt64(limits.connections) * 2 + 512)
        context = DaemonContext(
            limits: limits,
            admit: admit,
            respond: respond,
            receive: receive
        )
        var settings = offline_http_settings()
        settings.listen_socket = socket.descriptor
        settings.connection_limit = limits.connections
        settings.timeout_seconds = limits.idleSeconds
        settings.connection_memory = limits.headBytes
        // `stop` releases the context after the daemon's thread has ended.
        let unmanaged = Unmanaged.passRetained(context)
        let started = Self.withTexts(of: certificate) { chain, key in
            (settings.certificates, settings.key) = (chain, key)
            return offline_http_start(
                &settings,
                receiveRequest,
                completeRequest,
                unmanaged.toOpaque()
            )
        }
        guard let started else {
            unmanaged.release()
            close(socket.descriptor)
            throw ServerError(
                .cannotListen,
                certificate == nil
                    ? "The HTTP server's thread did not start. Close other programs and try again."
                    : "The server did not start with this certificate and key. Use PEM files that "
                        + "belong together, the key without a password."
            )
        }
        daemon = Lock(Daemon(pointer: started))
    }

    /// Ends the event streams, waits for the responses in progress, closes all connections and
    /// joins the thread.
    ///
    /// Truncates a file response that is not sent within half a second. A second call returns
    /// immediately.
    func stop() async {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let daemon else { return }
        let socket = MHD_quiesce_daemon(daemon.pointer)
        // libmicrohttpd must not stop while a connection is suspended.
        await context.drain()
        MHD_stop_daemon(daemon.pointer)
        if socket >= 0 { close(socket) }
        Unmanaged.passUnretained(context).release()
    }

    /// Ends all event streams.
    ///
    /// The clients connect again if the guard still admits them.
    func endStreams() {
        context.endStreams()
    }

    private static func withTexts<Result>(
        of certificate: ServerCertificate?,
        _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let certificate else { return body(nil, nil) }
        return certificate.chain.withCString { chain in
            certificate.key.withCString { body(chain, $0) }
        }
    }

    /// Raises the process's limit of open descriptors for the connections, up to the hard limit.
    private static func raiseDescriptorLimit(to wanted: UInt64) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
