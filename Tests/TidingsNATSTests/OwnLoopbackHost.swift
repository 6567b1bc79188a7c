// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import TidingsLock

/// Addresses of the loopback network, each for one cluster of one process.
enum OwnLoopbackHost {
    private static let count = 60_000
    /// The number of the next address to try, which differs between processes at first.
    private static let next = Lock(Int(getpid()))

    /// Returns an address that no other caller in any process gets while this process runs.
    ///
    /// A port of the address is the reservation. The port stays bound, because servers end later
    /// than their cluster.
    static func reserve() throws -> String {
        for _ in 0..<count {
            let number = next.withLock { number in
                defer { number += 1 }
                return number % count
            }
            let host = "127.\(1 + number / 256).\(number % 256).1"
            if bindPort(of: host) { return host }
        }
        throw NATSServer.Failure(text: "Every address of the loopback network is reserved.")
    }

    private static func bindPort(of host: String) -> Bool {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { return false }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(6_221).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isBound { close(descriptor) }
        return isBound
    }
}
#endif
