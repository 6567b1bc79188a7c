// SPDX-License-Identifier: Apache-2.0

/// Finds the parts of an address in plain text, in JSON with escaped slashes, or in a
/// percent-encoded form.
enum AddressText {
    private static let schemeEnds = ["://", ":\\/\\/", "%3a%2f%2f"].map { Array($0.utf8) }
    private static let encodedSlash = Array("%2f".utf8)
    private static let encodedAt = Array("%40".utf8)

    /// Returns the range of the first `://`.
    static func schemeEnd(in text: ArraySlice<UInt8>) -> Range<Int>? {
        for index in text.indices where text[index] == 0x3A || text[index] == 0x25 {
            for end in schemeEnds where text[index...].startsIgnoringCase(with: end) {
                return index..<(index + end.count)
            }
        }
        return nil
    }

    /// Returns the index of the slash after host and port, or the end.
    static func authorityEnd(in text: ArraySlice<UInt8>) -> Int {
        text.indices.first { index in
            text[index] == 0x2F || text[index...].startsIgnoringCase(with: encodedSlash)
        } ?? text.endIndex
    }

    /// Returns the index after the last `@`.
    static func lastAt(in text: ArraySlice<UInt8>) -> Int? {
        for index in text.indices.reversed() {
            if text[index] == 0x40 { return index + 1 }
            if text[index...].startsIgnoringCase(with: encodedAt) { return index + encodedAt.count }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether the slice starts with `other`, which must be lowercase.
    fileprivate func startsIgnoringCase(with other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return zip(self, other).allSatisfy { $0.asciiLowercased == $1 }
    }
}
