// SPDX-License-Identifier: Apache-2.0

/// The checksum of a record in the file of a run.
///
/// The checksum is 64-bit FNV-1a over words of eight bytes, with the high bits folded back. The
/// processor can compute the four independent lanes in parallel. Each step is reversible, so any
/// change within one word is detected. Other changes are missed with negligible probability.
enum RunChecksum {
    private static let prime: UInt64 = 0x100_0000_01B3

    static func of(_ bytes: UnsafeRawBufferPointer, key: UInt64) -> UInt64 {
        var hash = key ^ UInt64(bytes.count)
        var (second, third, fourth) = (~hash, hash &+ prime, hash &- prime)
        var index = 0
        while index &+ 32 <= bytes.count {
            mix(word(bytes, index), &hash)
            mix(word(bytes, index &+ 8), &second)
            mix(word(bytes, index &+ 16), &third)
            mix(word(bytes, index &+ 24), &fourth)
            index &+= 32
        }
        mix(second, &hash)
        mix(third, &hash)
        mix(fourth, &hash)
        while index &+ 8 <= bytes.count {
            mix(word(bytes, index), &hash)
            index &+= 8
        }
        mix(rest(bytes, from: index), &hash)
        return hash
    }

    /// Returns the up to seven bytes behind the last word, as a number.
    private static func rest(_ bytes: UnsafeRawBufferPointer, from index: Int) -> UInt64 {
        if bytes.count >= 8 {
            return word(bytes, bytes.count &- 8) >> UInt64(64 &- 8 &* (bytes.count &- index))
        }
        var rest: UInt64 = 0
        for byte in bytes[index...].reversed() { rest = rest << 8 | UInt64(byte) }
        return rest
    }

    static func of(_ bytes: ArraySlice<UInt8>, key: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { of($0, key: key) }
    }

    /// Returns the checksum of the header.
    static func of(magic: UInt64, key: UInt64) -> UInt64 {
        var hash = key
        mix(magic, &hash)
        return hash
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }

    @inline(__always)
    private static func mix(_ word: UInt64, _ hash: inout UInt64) {
        hash = (hash ^ word) &* prime
        hash ^= hash >> 32
    }
}
