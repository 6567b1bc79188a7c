// SPDX-License-Identifier: Apache-2.0

/// A numeric IPv4 or IPv6 address.
enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    /// Whether the address belongs to the public internet.
    ///
    /// An IPv6 address that embeds an IPv4 address is classified by the embedded address.
    var isPublic: Bool {
        switch self {
        case .v4(let bits): Self.isPublicV4(bits)
        case .v6(let high, let low): Self.isPublicV6(high, low)
        }
    }

    /// Whether the address refers to this machine, on every network.
    var isLoopbackOrUnspecified: Bool {
        switch self {
        case .v4(let bits): bits >> 24 == 127 || bits >> 24 == 0
        case .v6(0, 0...1): true
        case .v6(0, let low) where low >> 32 == 0xFFFF:
            NetworkAddress.v4(UInt32(truncatingIfNeeded: low)).isLoopbackOrUnspecified
        case .v6: false
        }
    }

    /// The embedded IPv4 address of an IPv4-mapped IPv6 address, or otherwise the address itself.
    var unmapped: NetworkAddress {
        guard case .v6(0, let low) = self, low >> 32 == 0xFFFF else { return self }
        return .v4(UInt32(truncatingIfNeeded: low))
    }

    /// The networks outside the public internet, from RFC 6890 and the IANA registry that RFC 6890
    /// established.
    private static let reservedV4: [(network: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by carriers
        (0x7F00_0000, 8),  // loopback
        (0xA9FE_0000, 16),  // link local, cloud metadata
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocol assignments
        (0xC000_0200, 24),  // documentation
        (0xC058_6300, 24),  // 6to4 relays
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // benchmarks
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // multicast
        (0xF000_0000, 4),  // reserved, broadcast
    ]

    private static func isPublicV4(_ bits: UInt32) -> Bool {
        !reservedV4.contains { bits >> (32 - $0.bits) == $0.network >> (32 - $0.bits) }
    }

    private static func isPublicV6(_ high: UInt64, _ low: UInt64) -> Bool {
        let lowest = UInt32(truncatingIfNeeded: low)
        switch (high, low >> 32) {
        case (0, 0xFFFF): return isPublicV4(lowest)  // mapped
        case (0x0064_FF9B_0000_0000, 0): return isPublicV4(lowest)  // NAT64
        default: break
        }
        guard high >> 61 == 1 else { return false }  // only 2000::/3 is allocated
        switch high >> 48 {
        case 0x2002:  // 6to4
            return isPublicV4(UInt32(truncatingIfNeeded: high >> 16))
        case 0x2001:
            let next = high >> 32 & 0xFFFF
            // This excludes protocol assignments, including Teredo, and documentation.
            return next >= 0x0200 && next != 0x0DB8
        case 0x3FFF:
            return high >> 44 & 0xF != 0  // documentation
        default: return true
        }
    }
}
