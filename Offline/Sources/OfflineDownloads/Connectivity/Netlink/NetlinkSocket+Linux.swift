// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A socket for the kernel's tables of interfaces and routes.
///
/// The socket requires no privileges.
final class NetlinkSocket: Sendable {
    /// The outcome of an attempt to read.
    enum ReadResult {
        case datagram(ArraySlice<UInt8>)
        /// The socket's buffer was full and the kernel dropped messages.
        case overrun
        /// Nothing was pending, or the timeout elapsed.
        case nothing
    }

    /// The size of the read buffer, which exceeds every datagram of the kernel.
    private static let bufferSize = 1 << 16
    /// The timeout of a read, in seconds.
    private static let timeout = 5

    /// The socket's descriptor, open for the lifetime of this object.
    let descriptor: Int32

    /// Opens a socket that receives the notifications of the given groups, by default none.
    init(groups: UInt32 = 0) throws(NetlinkError) {
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_NETLINK, type, Netlink.route)
        guard descriptor >= 0 else { throw .system(call: "socket", errno) }
        var timeout = timeval(tv_sec: Self.timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size) == 0 else {
            throw .system(call: "setsockopt", errno)
        }
        var address = Address(groups: groups)
        guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            throw .system(call: "bind", errno)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a message to the kernel.
    func send(_ bytes: [UInt8]) throws(NetlinkError) {
        var kernel = Address()
        let (sent, number) = kernel.withSocketAddress { address, length in
            Self.retryingInterrupts { sendto(descriptor, bytes, bytes.count, 0, address, length) }
        }
        guard sent == bytes.count else { throw .system(call: "sendto", number) }
    }

    /// Reads one datagram from the kernel and ignores datagrams from other processes.
    ///
    /// With `waiting`, the call blocks until a datagram arrives or the timeout elapses.
    func read(waiting: Bool) throws(NetlinkError) -> ReadResult {
        let flags = Int32(MSG_TRUNC) | (waiting ? 0 : Int32(MSG_DONTWAIT))
        while true {
            var sender = Address()
            var result = (count: 0, number: Int32(0))
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, filled in
                result = sender.withSocketAddress { address, length in
                    var length = length
                    return Self.retryingInterrupts {
                        recvfrom(
                            descriptor,
                            buffer.baseAddress,
                            buffer.count,
                            flags,
                            address,
                            &length
                        )
                    }
                }
                filled = min(max(result.count, 0), buffer.count)
            }
            switch result {
            case (0..., _) where result.count > bytes.count: throw .truncated
            case (0..., _) where sender.isKernel: return .datagram(bytes[...])
            case (0..., _): continue
            case (_, ENOBUFS): return .overrun
            case (_, EAGAIN), (_, EWOULDBLOCK): return .nothing
            case (_, let number): throw .system(call: "recvfrom", number)
            }
        }
    }

    /// Repeats a call that a signal interrupts, and returns the error number of the last attempt.
    private static func retryingInterrupts(_ call: () -> Int) -> (count: Int, number: Int32) {
        while true {
            let count = call()
            let number = count < 0 ? errno : 0
            if number != EINTR { return (count, number) }
        }
    }
}

extension NetlinkSocket {
    /// `struct sockaddr_nl`, which the Glibc module does not export.
    private struct Address {
        private var family = UInt16(AF_NETLINK)
        private var padding: UInt16 = 0
        /// The port of the sender.
        ///
        /// Zero stands for the kernel, or asks the kernel to assign a port.
        private var port: UInt32 = 0
        private var groups: UInt32

        init(groups: UInt32 = 0) {
            self.groups = groups
        }

        var isKernel: Bool { family == UInt16(AF_NETLINK) && port == 0 }

        mutating func withSocketAddress<Result>(
            _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            let length = socklen_t(MemoryLayout<Address>.size)
            return withUnsafeMutablePointer(to: &self) {
                body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
            }
        }
    }
}
