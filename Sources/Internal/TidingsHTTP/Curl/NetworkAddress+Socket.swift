// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Glibc

extension NetworkAddress {
    /// Reads address and port from a socket address, or returns nil for families other than IPv4
    /// and IPv6.
    static func read(_ address: UnsafePointer<sockaddr>) -> (address: NetworkAddress, port: Int)? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let value = raw.loadUnaligned(as: sockaddr_in.self)
            let bits = UInt32(bigEndian: value.sin_addr.s_addr)
            return (.v4(bits), Int(UInt16(bigEndian: value.sin_port)))
        case AF_INET6:
            let value = raw.loadUnaligned(as: sockaddr_in6.self)
            let port = Int(UInt16(bigEndian: value.sin6_port))
            return withUnsafeBytes(of: value.sin6_addr) { ($0.v6Address, port) }
        default:
            return nil
        }
    }

    /// Parses the text form of an address, without brackets.
    ///
    /// The result is nil if the text is invalid.
    init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self = withUnsafeBytes(of: &v6) { $0.v6Address }
        } else {
            return nil
        }
    }

    /// Returns the addresses of this machine's interfaces, or an empty set if the system call
    /// fails.
    static func ownAddresses() -> Set<NetworkAddress> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: Set<NetworkAddress> = []
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let address = entry?.pointee.ifa_addr, let read = read(address) else { continue }
            addresses.insert(read.address)
        }
        return addresses
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var v6Address: NetworkAddress {
        .v6(
            high: UInt64(bigEndian: loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}
