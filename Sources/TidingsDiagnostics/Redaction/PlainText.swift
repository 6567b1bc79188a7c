// SPDX-License-Identifier: Apache-2.0

/// Tells, in one pass and without a copy, that a text has nothing in it that could be redacted.
///
/// Most breadcrumbs are a few words. Whatever could be a part of an address, of a path, of a name
/// with a value or of a key is left to the redactor.
enum PlainText {
    static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        var run = 0
        var wasText = false
        for byte in bytes {
            if byte.belongsToWord {
                // "Bearer" and "basic" announce a secret.
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
