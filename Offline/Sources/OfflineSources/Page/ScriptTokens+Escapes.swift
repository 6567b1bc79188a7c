// SPDX-License-Identifier: Apache-2.0

extension ScriptTokens {
    /// Returns the string of a literal, with decoded escapes such as `\/` and `\u0026`.
    static func unescaped(_ content: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var text = ""
        var plain = content.startIndex
        var index = content.startIndex
        func flushUnits() {
            guard !units.isEmpty else { return }
            text += String(decoding: units, as: UTF16.self)
            units = []
        }
        while index < content.endIndex {
            guard content[index] == 0x5c, index + 1 < content.endIndex else {
                index += 1
                continue
            }
            if plain < index {
                flushUnits()
                text += String(decoding: content[plain..<index], as: UTF8.self)
            }
            let digits = content[(index + 2)...]
            switch content[index + 1] {
            case UInt8(ascii: "u"): index += 2 + unit(digits.prefix(4), count: 4, into: &units)
            case UInt8(ascii: "x"): index += 2 + unit(digits.prefix(2), count: 2, into: &units)
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), 0x0a:
                units.append(0x20)
                index += 2
            default:
                // The escaped character stays, together with the following bytes.
                plain = index + 1
                index += 2
                continue
            }
            plain = min(index, content.endIndex)
        }
        flushUnits()
        if plain < content.endIndex {
            text += String(decoding: content[plain...], as: UTF8.self)
        }
        return text
    }

    /// Adds the character with a hexadecimal number, and returns the number of digits.
    private static func unit(
        _ digits: ArraySlice<UInt8>,
        count: Int,
        into units: inout [UInt16]
    ) -> Int {
        guard digits.count == count,
            let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return 0 }
        units.append(value)
        return count
    }
}
