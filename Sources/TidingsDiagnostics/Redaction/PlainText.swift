// SPDX-License-Identifier: Apache-2.0

/// A fast check, in one pass without a copy, that a text contains nothing to redact.
///
/// Most breadcrumbs are a few words. Any text that may contain part of an address, a path, a key or
/// a name with a value goes to the redactor.
enum PlainText {
    static func isPlain(_ text: String) -> Bool {
        // The iterator of a string's view takes three times as long.
        text.utf8.withContiguousStorageIfAvailable { isPlain($0) } ?? false
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // A static value is checked for its initialization at each use.
        let (text, joiners, separators) = Self.classes
        var run = 0
        var wasText = false
        for byte in bytes {
            let isText = text.contains(byte)
            if isText || joiners.contains(byte) {
                // "Bearer" and "basic" precede a secret.
                if !wasText, byte | 0x20 == UInt8(ascii: "b") { return false }
                run += 1
                if run >= OpaqueText.shortest { return false }
                wasText = isText
            } else if separators.contains(byte) {
                run = 0
                wasText = false
            } else {
                return false
            }
        }
        return true
    }

    private static let classes = (
        text: ASCIISet { $0.isASCIILetterOrDigit },
        joiners: ASCIISet { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") },
        separators: ASCIISet { " .,".utf8.contains($0) }
    )
}

/// A set of ASCII characters as one bit each.
private struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ isMember: (UInt8) -> Bool) {
        for byte in UInt8(0)..<64 where isMember(byte) { low |= 1 << byte }
        for byte in UInt8(64)..<128 where isMember(byte) { high |= 1 << (byte - 64) }
    }

    func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) >> (byte & 63) & 1 == 1
    }
}
