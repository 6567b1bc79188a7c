// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The address of this machine in the local network.
enum LocalAddress {
    /// Returns the IPv4 address from which this machine reaches others, or nil without a network.
    static func text() -> String? {
        let descriptor = socket(
            AF_INET,
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = in_port_t(9).bigEndian
        // The address is reserved for documentation. Connecting a datagram socket sends nothing.
        target.sin_addr.s_addr = inet_addr("192.0.2.1")
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown =
            withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            && withUnsafeMutablePointer(to: &own) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &length) == 0
                }
            }
        guard isKnown else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard inet_ntop(AF_INET, &own.sin_addr, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    /// Whether the value of a header `Host` is a numeric address with this port.
    ///
    /// If another site points a name at this machine, requests from the page of that site carry the
    /// name in the header.
    static func isNumeric(host: String, port: UInt16) -> Bool {
        guard host.hasSuffix(":\(port)") else { return false }
        let address = host.dropLast("\(port)".utf8.count + 1)
        var bytes = in6_addr()
        if address.first == "[", address.last == "]" {
            return inet_pton(AF_INET6, String(address.dropFirst().dropLast()), &bytes) == 1
        }
        return inet_pton(AF_INET, String(address), &bytes) == 1
    }

    /// The names of this machine in the local network.
    static func names() -> [String] {
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return [] }
        let name = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        ).lowercased()
        guard !name.isEmpty else { return [] }
        return name.contains(".") ? [name] : [name, name + ".local"]
    }
}
