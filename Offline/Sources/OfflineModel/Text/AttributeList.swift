// SPDX-License-Identifier: Apache-2.0

/// The attributes of a tag, such as `METHOD=AES-128,URI="a,b"`.
package struct AttributeList {
    /// How to treat text that is not an attribute.
    package enum Strictness {
        /// Ignores such text, as players do. If two names are equal, the last one counts.
        case lenient
        /// Rejects such text, because another reading would lead to other content.
        case strict
    }

    private var values: [String: String] = [:]

    /// Parses the text after a tag's colon.
    ///
    /// A comma within quotes is part of the value. Quotes are removed, so that quoted and unquoted
    /// values are equal. A quotation mark that is not closed is always an error.
    package init(_ text: Substring, at number: Int, _ strictness: Strictness) throws(PlaylistError)
    {
        let isStrict = strictness == .strict
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { Self.isSpace($0) || $0 == Self.comma }
            guard !rest.isEmpty else { return }
            let name = rest.prefix { $0 != Self.equals && $0 != Self.comma }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == Self.equals else {
                if isStrict { throw .invalid("an attribute has no value", at: number) }
                rest = rest[name.endIndex...]
                continue
            }
            rest = rest[rest.index(after: name.endIndex)...].drop(while: Self.isSpace)
            let value = try Self.parseValue(&rest, at: number, isStrict)
            let key = Substring(name).trimmingSpaces
            guard !key.isEmpty, key.utf8.allSatisfy(Self.isNameByte) else {
                if isStrict { throw .invalid("an attribute has an invalid name", at: number) }
                continue
            }
            let earlier = values.updateValue(value, forKey: String(key))
            guard !isStrict || earlier == nil || earlier == value else {
                throw .invalid("the attribute \(key.prefix(40)) appears twice", at: number)
            }
        }
    }

    /// The value of an attribute, or nil if the list does not have the attribute.
    package subscript(name: String) -> String? { values[name] }

    /// Returns whether the value is YES, in any case.
    package func isYes(_ name: String) -> Bool { values[name]?.uppercased() == "YES" }

    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")

    private static func parseValue(
        _ rest: inout Substring.UTF8View.SubSequence,
        at number: Int,
        _ isStrict: Bool
    ) throws(PlaylistError) -> String {
        guard rest.first == quote else {
            let value = rest.prefix { $0 != comma }
            rest = rest[value.endIndex...]
            guard !isStrict || !value.contains(quote) else {
                throw .invalid("a value contains a quotation mark", at: number)
            }
            return String(Substring(value).trimmingSpaces)
        }
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(of: quote) else {
            throw .invalid("a quotation mark is not closed", at: number)
        }
        let after = inside[inside.index(after: end)...]
        rest = after.drop { $0 != comma }
        guard !isStrict || after[..<rest.startIndex].allSatisfy(isSpace) else {
            throw .invalid("text follows a closing quotation mark", at: number)
        }
        return String(Substring(inside[..<end]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Whether a byte may be part of the name of an attribute or a variable.
    package static func isNameByte(_ byte: UInt8) -> Bool {
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
    package var trimmingSpaces: Substring {
        var text = self.utf8[...]
        while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        return Substring(text)
    }
}
