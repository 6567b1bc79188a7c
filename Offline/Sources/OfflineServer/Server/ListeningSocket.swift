// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A bound, listening TCP socket that child processes do not inherit.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - address: The numeric address to listen on.
    ///   - port: The port. Nil selects the first free port of the twenty from `preferred`, or else
    ///     any free port.
    ///   - preferred: The port to try first if `port` is nil.
    /// - Returns: The listening socket.
    /// - Throws: `ServerError` with `.portTaken`, `.cannotListen` or `.badConfiguration`.
    static func open(
        on address: String,
        port: UInt16?,
        preferred: UInt16
    ) throws(ServerError) -> ListeningSocket {
        if let port { return try bound(to: address, port: port) }
        let candidates = (preferred...min(preferred, .max - 19) + 19)
        for candidate in candidates {
            do throws(ServerError) {
                return try bound(to: address, port: candidate)
            } catch  where error.code == .portTaken {
                continue
            }
        }
        return try bound(to: address, port: 0)
    }

    /// Closes the socket.
    ///
    /// Must only be called while no server owns the socket.
    func close() {
        Foundation.close(descriptor)
    }

    private static func bound(to address: String, port: UInt16) throws(ServerError) -> Self {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let info = found else {
            throw ServerError(
                .badConfiguration,
                "\(address) is not a numeric address. Listen on an address such as 127.0.0.1."
            )
        }
        defer { freeaddrinfo(info) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(
            info.pointee.ai_family,
            kind | Int32(SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw failure(errno, address: address, port: port) }
        var on: Int32 = 1
        // A killed server can reopen the port immediately.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0,
            listen(descriptor, 512) == 0
        else {
            let number = errno
            Foundation.close(descriptor)
            throw failure(number, address: address, port: port)
        }
        return ListeningSocket(descriptor: descriptor, port: boundPort(of: descriptor) ?? port)
    }

    private static func boundPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                getsockname(descriptor, generic, &length)
            }
        }
        // The port has the same offset in an IPv4 and an IPv6 address.
        return result == 0 ? UInt16(bigEndian: address.sin6_port) : nil
    }

    private static func failure(_ number: Int32, address: String, port: UInt16) -> ServerError {
        if number == EADDRINUSE {
            return ServerError(
                .portTaken,
                "Another program listens on port \(port). Choose another port with --port."
            )
        }
        return ServerError(
            .cannotListen,
            "Cannot listen on \(address), port \(port): \(String(cString: strerror(number))). "
                + "Choose another port with --port."
        )
    }
}
