// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import TidingsLock

/// A TCP proxy on loopback that forwards bytes until a test asks for a fault.
final class FaultProxy: Sendable {
    private struct State {
        var sockets: [Int32] = []
        var isStalled = false
        /// The number of bytes from the client after which all connections are cut.
        var cut = Int.max
    }

    let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Lock(State())
    private let condition = NSCondition()

    /// Accepts connections and forwards all bytes to a port.
    init(to target: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: 0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard isBound == 0, listen(listener, 16) == 0 else { throw POSIXError(.EADDRINUSE) }
        var length = size
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &length)
            }
        }
        self.target = target
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in accept() }.start()
    }

    var address: String { "nats://127.0.0.1:\(port)" }

    /// Stops reading and writing.
    ///
    /// The connections stay open.
    func stall() { set { $0.isStalled = true } }

    /// Forwards again.
    func flow() { set { $0.isStalled = false } }

    /// Cuts all connections after this number of further bytes from the clients.
    func cut(after bytes: Int) { set { $0.cut = bytes } }

    /// Ends the proxy and all connections.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        set { state in
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            state.isStalled = false
        }
    }

    private func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            if client < 0 { break }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(port: target)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, size)
                }
            }
            guard isConnected == 0 else {
                Foundation.close(client)
                Foundation.close(server)
                continue
            }
            state.withLock { $0.sockets += [client, server] }
            Thread { [self] in forward(from: client, to: server, isClient: true) }.start()
            Thread { [self] in forward(from: server, to: client, isClient: false) }.start()
        }
        Foundation.close(listener)
    }

    private func forward(from source: Int32, to destination: Int32, isClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            waitWhileStalled()
            let count = recv(source, &buffer, buffer.count, 0)
            if count <= 0 { break }
            waitWhileStalled()
            let allowed = isClient ? allow(count) : count
            guard sendAll(buffer[..<allowed], to: destination), allowed == count else { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(destination, Int32(SHUT_RDWR))
    }

    private func allow(_ count: Int) -> Int {
        state.withLock { state in
            let allowed = min(count, state.cut)
            // There is one cut only, so the next connection is whole.
            if state.cut != .max { state.cut = allowed < count ? .max : state.cut - allowed }
            return allowed
        }
    }

    private func sendAll(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func waitWhileStalled() {
        condition.lock()
        while state.withLock({ $0.isStalled }) { condition.wait() }
        condition.unlock()
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }
}
#endif
