// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Encodes images in the format of the runtime's `ImageMap`.
///
/// The first byte gives the width of addresses, followed by the platform with its length, and the
/// number of images. Each image is a byte with the lengths of its address and size minus one, both
/// values in big-endian order, its build ID and its path. This encoder does not compress path
/// prefixes that occurred earlier.
struct CompactImageMap {
    private static let wide: UInt8 = 2
    private static let platform = "Linux"
    private static let pieceLimit = 63

    private(set) var bytes: [UInt8] = [wide]

    init(_ images: [ImageList.Image]) {
        append(Self.platform.utf8.count)
        bytes += Array(Self.platform.utf8)
        append(images.count)
        for image in images {
            bytes.append(7 << 3 | 7)
            append(image.start)
            append(image.end - image.start)
            let build = Self.bytes(ofHexadecimal: image.buildID ?? "")
            append(build.count)
            bytes += build
            append(image.path)
        }
    }

    private mutating func append(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Encodes a count in groups of seven bits, highest first; all groups except the last have the
    /// high bit set.
    private mutating func append(_ count: Int) {
        var groups = [UInt8(count & 0x7F)]
        var rest = count >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes += groups.reversed()
    }

    /// Encodes a text as length-prefixed pieces with a final zero.
    private mutating func append(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceLimit)
            bytes.append(UInt8(piece.count))
            bytes += piece
            rest = rest.dropFirst(piece.count)
        }
        bytes.append(0)
    }

    private static func bytes(ofHexadecimal text: String) -> [UInt8] {
        var digits = text.utf8[...]
        var bytes: [UInt8] = []
        while digits.count >= 2 {
            guard let byte = UInt8(String(decoding: digits.prefix(2), as: UTF8.self), radix: 16)
            else { return [] }
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    /// Without the padding, which the runtime does not read.
    var text: String {
        Data(bytes).base64EncodedString().trimmingCharacters(in: ["="])
    }
}
