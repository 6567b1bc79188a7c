// SPDX-License-Identifier: Apache-2.0

/// The parts of WebVTT that may be copied from a server, because no reader takes these parts for
/// more.
enum WebVTTText {
    /// The tags to keep.
    ///
    /// Players ignore all other tags.
    private static let tags: Set<String> = ["b", "i", "u", "c", "v", "ruby", "rt", "lang"]

    /// Returns a line of a cue with the known tags.
    ///
    /// All other markup becomes plain text or is dropped.
    static func line(_ line: Substring) -> String {
        var result = ""
        var rest = line.utf8[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "<"):
                let next = rest.dropFirst().first.map { Character(UnicodeScalar($0)) }
                guard next.map({ $0.isLetter || $0.isNumber || $0 == "/" }) == true,
                    let end = rest.firstIndex(of: UInt8(ascii: ">"))
                else {
                    result += "&lt;"
                    rest = rest.dropFirst()
                    continue
                }
                result += tag(Substring(rest[rest.index(after: rest.startIndex)..<end]))
                rest = rest[rest.index(after: end)...]
            case UInt8(ascii: ">"):
                result += "&gt;"
                rest = rest.dropFirst()
            default:
                let plain = rest.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
                result.unicodeScalars += Substring(plain).unicodeScalars.filter(isText)
                rest = rest[plain.endIndex...]
            }
        }
        return result
    }

    /// Returns the settings of a place whose names and values the format defines.
    static func settings(_ text: Substring) -> String {
        text.split(whereSeparator: { $0 == " " || $0 == "\t" }).prefix(16).filter { setting in
            let name = setting.prefix { $0 != ":" }
            let value = setting.dropFirst(name.count + 1)
            return switch name {
            case "vertical": value == "rl" || value == "lr"
            case "align": ["start", "center", "end", "left", "right", "middle"].contains(value)
            case "line", "position", "size": isPlace(value)
            default: false
            }
        }.joined(separator: " ")
    }

    /// Returns a tag with the name and the annotation, or an empty string for an unknown tag.
    private static func tag(_ inside: Substring) -> String {
        let isEnd = inside.first == "/"
        let body = isEnd ? inside.dropFirst() : inside
        let name = body.prefix { $0.isLetter && $0.isASCII }
        guard tags.contains(String(name)), body.utf8.count <= 100 else { return "" }
        if isEnd { return "</\(name)>" }
        let rest = body.dropFirst(name.count)
        guard rest.isEmpty || rest.first == "." || rest.first == " " else { return "" }
        let kept = rest.filter { character in
            character.isLetter || character.isNumber || " .-_'".contains(character)
        }
        return "<\(name)\(kept)>"
    }

    private static func isPlace(_ value: Substring) -> Bool {
        value.utf8.count <= 30
            && value.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?%?(,[a-z\-]+)?/) != nil
    }

    private static func isText(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value) || scalar == "\t"
    }
}
