// SPDX-License-Identifier: Apache-2.0
internal import CTidingsCurl
internal import Glibc

/// Starts threads that nobody else's signals land on.
enum CurlThread {
    /// Runs `body` on a new thread, to be joined or detached by the caller; nil if there is none.
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
    // SIGPIPE above all: the TLS library writes to sockets that the other side has closed.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
