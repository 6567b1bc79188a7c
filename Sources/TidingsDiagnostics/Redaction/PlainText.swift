// SPDX-License-Identifier: Apache-2.0

/// A fast check, in one pass without a copy, that a text contains nothing to redact.
///
/// Most breadcrumbs are a few words. Any text that may contain part of an address, a path, a key or
/// a name with a value goes to the redactor.
enum PlainText {
    static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        var run = 0
        var wasText = false
        for byte in bytes {
            if byte.belongsToWord {
                // "Bearer" and "basic" precede a secret.
                if !wasText, byte | 0x20 == UInt8(ascii: "b") { return false }
                run += 1
                if run >= OpaqueText.shortest { return false }
                wasText = byte.isASCIILetterOrDigit
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: ",")
            {
                run = 0
                wasText = false
            } else {
                return false
            }
        }
        return true
    }
}

extension UInt8 {
    fileprivate var belongsToWord: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
