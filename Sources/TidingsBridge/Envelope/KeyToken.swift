// SPDX-License-Identifier: Apache-2.0

/// The form of an ordering key in a subject and in a header.
///
/// Letters, digits, `-` and `_` stay. Every other byte of the UTF-8 string is percent-encoded, so
/// that any string is one token. In a subject, `_` alone stands for no key and `~` for an empty
/// key.
enum KeyToken {
    private static let longest = 160

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns the value of the header for a key.
    static func header(_ key: String) -> String {
        if key.utf8.allSatisfy(isPlain) { return key }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.utf8.count * 3)
        for byte in key.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the last token of a subject for a key.
    ///
    /// A long key is cut and ends with a hash of the whole key. The header has the whole key.
    static func token(_ key: String?) -> String {
        guard let key else { return "_" }
        if key.isEmpty { return "~" }
        if key == "_" { return "%5F" }
        let encoded = header(key)
        guard encoded.utf8.count > longest else { return encoded }
        let hash = String(fingerprint(key), radix: 16)
        return String(decoding: encoded.utf8.prefix(longest - 17), as: UTF8.self) + "~" + hash
    }

    /// Returns the key of a header's value, or nil if the value is malformed.
    static func key(header: String) -> String? {
        guard header.utf8.contains(UInt8(ascii: "%")) else { return header }
        var bytes: [UInt8] = []
        var rest = header.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value),
                let low = rest.popFirst().flatMap(value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the key of a subject's last token, or nil for no key.
    static func key(token: String) -> String? {
        switch token {
        case "_": nil
        case "~": ""
        default: key(header: token) ?? token
        }
    }

    /// A hash that is the same in every process (FNV-1a).
    private static func fingerprint(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
