// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Glibc

extension HTTPClient {
    /// Connects to the server of an address by the address rules of this client.
    ///
    /// The rules apply to each address of the name at the moment of the connection. The call blocks
    /// for the name lookup, and then for at most the connect timeout.
    ///
    /// - Parameters:
    ///   - address: The address, of which only host and port count.
    ///   - stop: A descriptor that becomes readable or closed to stop the connection.
    /// - Returns: A connected socket that does not block, which the caller closes.
    /// - Throws: `privateAddress`, `ownAddress`, `cannotResolve`, `cannotConnect` or `cancelled`.
    package func connect(
        to address: WebAddress,
        stoppedBy stop: CInt
    ) throws(HTTPError) -> CInt {
        let host =
            address.host.hasPrefix("[") ? address.host.dropFirst().dropLast() : address.host[...]
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(String(host), "\(address.port)", &hints, &list) == 0 else {
            throw CurlFailure.error(CURLE_COULDNT_RESOLVE_HOST, address, refusal: nil)
        }
        defer { freeaddrinfo(list) }
        let deadline = ContinuousClock.now + engine.configuration.connectTimeout
        var refusal: HTTPError.Code?
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let info = entry?.pointee, let target = info.ai_addr,
                let (number, port) = NetworkAddress.read(target)
            else { continue }
            if let code = engine.connectionGuard.refusal(of: number, port: port) {
                refusal = code
                continue
            }
            let socket = Self.socket(to: target, info, stoppedBy: stop, deadline)
            if let socket { return socket }
            guard !Self.isReady(stop) else {
                throw HTTPError(.cancelled, "The connection was stopped.")
            }
        }
        throw CurlFailure.error(CURLE_COULDNT_CONNECT, address, refusal: refusal)
    }

    private static func socket(
        to target: UnsafeMutablePointer<sockaddr>,
        _ info: addrinfo,
        stoppedBy stop: CInt,
        _ deadline: ContinuousClock.Instant
    ) -> CInt? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(info.ai_family, kind, 0)
        guard number >= 0 else { return nil }
        if Glibc.connect(number, target, info.ai_addrlen) == 0 { return number }
        var isConnected = false
        if errno == EINPROGRESS {
            let left = max(deadline - .now, .zero) / .milliseconds(1)
            var polled = [
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
            ]
            let count = poll(&polled, 2, Int32(min(left, 3_600_000)))
            var failure: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(number, SOL_SOCKET, SO_ERROR, &failure, &size)
            isConnected =
                count > 0 && polled[0].revents == 0 && polled[1].revents != 0 && failure == 0
        }
        if isConnected { return number }
        Glibc.close(number)
        return nil
    }

    private static func isReady(_ descriptor: CInt) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }
}
