// SPDX-License-Identifier: Apache-2.0
import Glibc
import OfflineMedia
import TidingsHTTP
import TidingsLock

/// One connection of the child to the proxy, on its own thread.
struct ProxyConnection {
    /// The time without a byte after which a connection ends.
    private static let idleLimit = Duration.seconds(60)
    /// The time in which each part of the first head must arrive.
    private static let headLimit = Duration.seconds(10)
    private static let bufferLength = 64 << 10
    /// The first byte of an encrypted connection.
    private static let handshake: UInt8 = 0x16

    let proxy: SiteProxy
    let child: OwnedDescriptor

    /// Serves the connection until one side or the proxy ends it.
    func run() {
        let head = readHead()
        proxy.account.withLock { $0.dismiss() }
        guard let (head, rest) = head else { return }
        let request: ProxyRequest
        do throws(ProxyRequest.Refusal) {
            request = try ProxyRequest(head, credential: proxy.credential)
        } catch {
            return answer(error.status)
        }
        // Only connections of the child count.
        guard proxy.account.withLock({ $0.openConnection() }) else { return }
        defer { proxy.account.withLock { $0.closeConnection() } }
        serve(request, rest)
    }

    private func serve(_ request: ProxyRequest, _ rest: ArraySlice<UInt8>) {
        let server: OwnedDescriptor
        do throws(HTTPError) {
            server = OwnedDescriptor(
                owning: try proxy.client.connect(to: request.address, stoppedBy: proxy.stopped.raw)
            )
        } catch {
            proxy.account.withLock { $0.refuse(error) }
            let isRefused = error.code == .privateAddress || error.code == .ownAddress
            return answer(isRefused ? ProxyRequest.Refusal.forbidden.status : "502 Bad Gateway")
        }
        if let forwarded = request.forwardedHead {
            guard write(forwarded + rest, to: server) else { return }
            relay(to: server, isTunnel: false)
        } else {
            // A client sends nothing before the response.
            guard rest.isEmpty, write(Self.established, to: child) else { return }
            relay(to: server, isTunnel: true)
        }
    }

    private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    private func answer(_ status: String) {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = write(Array(head.utf8), to: child)
    }

    /// Returns the head of the first request, and the bytes behind it.
    private func readHead() -> (head: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        var bytes: [UInt8] = []
        var searched = 0
        while bytes.count < ProxyRequest.headLimit {
            guard let more = receive(from: child, within: Self.headLimit), !more.isEmpty else {
                return nil
            }
            bytes += more
            for end in max(searched - 3, 0)..<max(bytes.count - 3, 0)
            where bytes[end..<(end + 4)].elementsEqual([13, 10, 13, 10]) {
                return (bytes[..<end], bytes[(end + 4)...])
            }
            searched = bytes.count
        }
        return nil
    }

    /// Copies bytes in both directions until one side ends.
    private func relay(to server: OwnedDescriptor, isTunnel: Bool) {
        var isChecked = !isTunnel
        while let ready = Self.ready(child, server, stoppedBy: proxy.stopped, for: Self.idleLimit) {
            if ready.first {
                guard let bytes = read(from: child), let first = bytes.first else { return }
                guard isChecked || first == Self.handshake else { return }
                isChecked = true
                guard write(bytes, to: server) else { return }
            }
            if ready.second {
                guard let bytes = read(from: server), !bytes.isEmpty, write(bytes, to: child)
                else { return }
            }
        }
    }

    /// Returns and counts the next bytes.
    ///
    /// The result is empty at the end of the stream, and nil if the connection must end.
    private func read(from socket: OwnedDescriptor) -> [UInt8]? {
        guard let bytes = receive(from: socket, within: Self.idleLimit),
            proxy.account.withLock({ $0.spend(bytes.count) })
        else { return nil }
        return bytes
    }

    private func receive(from socket: OwnedDescriptor, within limit: Duration) -> [UInt8]? {
        while Self.wait(for: socket, Int16(POLLIN), stoppedBy: proxy.stopped, limit) {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferLength) { buffer, length in
                count = recv(socket.raw, buffer.baseAddress, buffer.count, 0)
                length = max(count, 0)
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            return count >= 0 ? bytes : nil
        }
        return nil
    }

    private func write(_ bytes: [UInt8], to socket: OwnedDescriptor) -> Bool {
        var position = 0
        while position < bytes.count {
            let rest = bytes[position...]
            let count = rest.withUnsafeBytes {
                send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                position += count
                continue
            }
            guard errno == EAGAIN || errno == EINTR,
                Self.wait(for: socket, Int16(POLLOUT), stoppedBy: proxy.stopped, Self.idleLimit)
            else { return false }
        }
        return true
    }

    /// Returns whether the socket is ready.
    ///
    /// The result is false after the limit and when the proxy stops.
    static func wait(
        for socket: OwnedDescriptor,
        _ events: Int16,
        stoppedBy stop: OwnedDescriptor,
        _ limit: Duration?
    ) -> Bool {
        var polled = [
            pollfd(fd: stop.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket.raw, events: events, revents: 0),
        ]
        return poll(&polled, limit)
    }

    private static func ready(
        _ first: OwnedDescriptor,
        _ second: OwnedDescriptor,
        stoppedBy stop: OwnedDescriptor,
        for limit: Duration
    ) -> (first: Bool, second: Bool)? {
        var polled = [
            pollfd(fd: stop.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: first.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second.raw, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, limit) else { return nil }
        return (polled[1].revents != 0, polled[2].revents != 0)
    }

    /// Returns whether a descriptor other than the first one is ready.
    private static func poll(_ polled: inout [pollfd], _ limit: Duration?) -> Bool {
        let milliseconds = limit.map { Int32($0 / .milliseconds(1)) } ?? -1
        var count: Int32
        repeat {
            count = Glibc.poll(&polled, nfds_t(polled.count), milliseconds)
        } while count < 0 && errno == EINTR
        return count > 0 && polled[0].revents == 0
    }
}
