// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A socket to the kernel's tables of interfaces and routes; needs no privileges.
final class NetlinkSocket: Sendable {
    /// What became of an attempt to read.
    enum ReadResult {
        case datagram(ArraySlice<UInt8>)
        /// The kernel had more to tell than there was room for.
        case overrun
        case nothing
    }

    /// More than the kernel puts into one datagram.
    private static let roomForDatagram = 1 << 16
    /// How many seconds an answer may take.
    private static let patience = 5

    /// Open as long as this object lives.
    let descriptor: Int32

    /// Opens a socket that is told of these groups' news; of none if it only asks.
    init(groups: UInt32 = 0) throws(NetlinkError) {
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_NETLINK, type, Netlink.route)
        guard descriptor >= 0 else { throw .system(call: "socket", errno) }
        var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0 else {
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
            Self.unlessInterrupted { sendto(descriptor, bytes, bytes.count, 0, address, length) }
        }
        guard sent == bytes.count else { throw .system(call: "sendto", number) }
    }

    /// Reads one datagram of the kernel; those of other processes are passed over.
    func read(waiting: Bool) throws(NetlinkError) -> ReadResult {
        let flags = Int32(MSG_TRUNC) | (waiting ? 0 : Int32(MSG_DONTWAIT))
        while true {
            var sender = Address()
            var result = (count: 0, number: Int32(0))
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.roomForDatagram) { room, filled in
                result = sender.withSocketAddress { address, length in
                    var length = length
                    return Self.unlessInterrupted {
                        recvfrom(descriptor, room.baseAddress, room.count, flags, address, &length)
                    }
                }
                filled = min(max(result.count, 0), room.count)
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

    /// Repeats a call that a signal ends too early; with the error number of the last one.
    private static func unlessInterrupted(_ call: () -> Int) -> (count: Int, number: Int32) {
        while true {
            let count = call()
            let number = count < 0 ? errno : 0
            if number != EINTR { return (count, number) }
        }
    }
}

extension NetlinkSocket {
    /// `struct sockaddr_nl`, which the C library's module does not have.
    private struct Address {
        private var family = UInt16(AF_NETLINK)
        private var padding: UInt16 = 0
        /// Of a process; zero is the kernel, or a number that it chooses.
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
