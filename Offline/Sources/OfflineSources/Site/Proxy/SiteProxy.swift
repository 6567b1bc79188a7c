// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import OfflineMedia
import TidingsHTTP
import TidingsLock

/// A web proxy on the loopback interface, through which one child reaches the network.
///
/// The proxy connects to servers by the address rules of a client. Only programs with the random
/// credential in the proxy's address can use the proxy. `stop` ends the proxy and all connections.
final class SiteProxy: Sendable {
    let client: HTTPClient
    /// The value of the header field that each request must have.
    let credential: String
    /// The port on 127.0.0.1.
    let port: UInt16
    let account: Lock<ProxyAccount>
    /// The read end of a pipe that closes when the proxy stops.
    let stopped: OwnedDescriptor
    private let password: String
    /// The write end of the pipe.
    ///
    /// Closing this descriptor wakes all threads of the proxy.
    private let running: Lock<OwnedDescriptor?>

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - client: The client whose address rules apply.
    ///   - limits: The limits of the child.
    /// - Throws: `MediaError` if the system has no more descriptors or ports.
    init(for client: HTTPClient, limits: ProxyAccount.Limits = .init()) throws(MediaError) {
        var random = SystemRandomNumberGenerator()
        let numbers: [UInt64] = [random.next(), random.next()]
        password = numbers.map { String($0, radix: 16) }.joined()
        credential = "Basic " + Data("offline:\(password)".utf8).base64EncodedString()
        self.client = client
        account = Lock(ProxyAccount(limits))
        let pipe = try OfflineMedia.Pipe()
        stopped = pipe.readEnd
        running = Lock(pipe.writeEnd)
        let (listener, port) = try Self.listen()
        self.port = port
        let acceptor = self
        Thread.detachNewThread { acceptor.acceptConnections(at: listener) }
    }

    /// The address with the credential, which only the child receives.
    var address: String { "http://offline:\(password)@127.0.0.1:\(port)" }

    /// Ends the proxy and all connections.
    ///
    /// A later call does nothing.
    func stop() {
        // The descriptor closes outside the lock.
        let descriptor = running.withLock { running in
            defer { running = nil }
            return running
        }
        withExtendedLifetime(descriptor) {}
    }

    private static func listen() throws(MediaError) -> (OwnedDescriptor, UInt16) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = OwnedDescriptor(owning: socket(AF_INET, kind, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener.raw, generic, size) == 0 && Glibc.listen(listener.raw, 64) == 0
                    && getsockname(listener.raw, generic, &size) == 0
            }
        }
        guard isListening else {
            throw MediaError(
                .failed,
                "No port for yt-dlp could be opened (\(String(cString: strerror(errno)))). Close "
                    + "other programs, then try again."
            )
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private func acceptConnections(at listener: OwnedDescriptor) {
        while ProxyConnection.wait(for: listener, Int16(POLLIN), stoppedBy: stopped, nil) {
            let raw = listener.accept()
            if raw < 0, [EAGAIN, EINTR, ECONNABORTED].contains(errno) { continue }
            // Without free descriptors the proxy cannot accept a connection. The child reports the
            // failed connection.
            guard raw >= 0 else { return }
            let socket = OwnedDescriptor(owning: raw)
            guard account.withLock({ $0.admit() }) else { continue }
            Thread.detachNewThread { [self] in ProxyConnection(proxy: self, child: socket).run() }
        }
    }
}
