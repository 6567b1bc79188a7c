// SPDX-License-Identifier: Apache-2.0

/// The absolute addresses in a string, with and without escaped slashes.
struct ScriptAddresses: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the next address, or nil at the end.
    mutating func next() -> String? {
        while position + 8 <= bytes.count {
            guard bytes[position] == UInt8(ascii: "h"), bytes[position...].starts(with: "http".utf8)
            else {
                position += 1
                continue
            }
            let start = position
            position += 4
            guard bytes[position...].prefix(6).contains(UInt8(ascii: ":")) else { continue }
            while position < bytes.count, Self.belongs(bytes[position]) { position += 1 }
            guard position - start <= PageFindings.addressLength else { continue }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
                .replacing("\\/", with: "/")
                .replacing("\\u0026", with: "&")
                .replacing("\\u002F", with: "/")
            if text.hasPrefix("http://") || text.hasPrefix("https://") {
                return text.hasSuffix("\\") ? String(text.dropLast()) : text
            }
        }
        return nil
    }

    private static func belongs(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"):
            false
        default:
            true
        }
    }
}
