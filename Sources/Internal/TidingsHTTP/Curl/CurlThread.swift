// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Glibc

/// Starts threads that receive no signals.
enum CurlThread {
    /// Runs `body` on a new thread, which the caller must join or detach.
    ///
    /// The result is nil if the system cannot create the thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, runThread, box.toOpaque()) == 0 else {
            box.release()
            return nil
        }
        return thread
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    tidings_curl_name_thread("tidings-http")
    // This matters for SIGPIPE, because the TLS library writes to sockets that the other side has
    // closed.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
