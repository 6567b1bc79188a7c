// SPDX-License-Identifier: Apache-2.0

/// The attributes of a tag, such as `METHOD=AES-128,URI="a,b"`.
struct AttributeList {
    private var values: [String: String] = [:]

    /// Parses the text after a tag's colon.
    ///
    /// A comma within quotes is part of the value. Quotes are removed, so that quoted and unquoted
    /// values are equal. A duplicate attribute is an error, because parsers disagree about it.
    init(_ text: Substring, at number: Int) throws(PlaylistError) {
        var rest = text.utf8[...]
        while true {
            rest = rest.drop(while: Self.isSpace)
            guard !rest.isEmpty else { return }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
                throw .invalid("an attribute has no value", at: number)
            }
            let name = rest[..<equals]
            guard !name.isEmpty, name.allSatisfy(Self.isNameByte) else {
                throw .invalid("an attribute has an invalid name", at: number)
            }
            rest = rest[rest.index(after: equals)...]
            let value = try Self.parseValue(&rest, at: number)
            guard values.updateValue(value, forKey: String(Substring(name))) == nil else {
                throw .invalid(
                    "the attribute \(Substring(name).prefix(40)) appears twice",
                    at: number
                )
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    private static func parseValue(
        _ rest: inout Substring.UTF8View.SubSequence,
        at number: Int
    ) throws(PlaylistError) -> String {
        let comma = UInt8(ascii: ",")
        let quote = UInt8(ascii: "\"")
        guard rest.first == quote else {
            let value = rest.prefix { $0 != comma }
            rest = rest[value.endIndex...].dropFirst()
            guard !value.contains(quote) else {
                throw .invalid("a value contains a quotation mark", at: number)
            }
            return String(Substring(value).trimmingSpaces)
        }
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(of: quote) else {
            throw .invalid("a quotation mark is not closed", at: number)
        }
        rest = inside[inside.index(after: end)...].drop(while: isSpace)
        guard rest.first == nil || rest.first == comma else {
            throw .invalid("text follows a closing quotation mark", at: number)
        }
        rest = rest.dropFirst()
        return String(Substring(inside[..<end]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    var trimmingSpaces: Substring {
        var text = self.utf8[...]
        while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        return Substring(text)
    }
}
