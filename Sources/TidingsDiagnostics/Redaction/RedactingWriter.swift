// SPDX-License-Identifier: Apache-2.0

/// Redacts and then cuts every string that enters a report.
struct RedactingWriter: Sendable {
    /// The maximum size of a message, a value or a breadcrumb, in bytes.
    static let textLimit = 1_024
    /// The maximum size of a key's name, in bytes.
    static let nameLimit = 64
    /// The size of the part of a text that is examined, in bytes.
    ///
    /// The rest of the text is dropped.
    private static let scanLimit = 8_192

    let redactor: Redactor

    func text(_ text: String, limit: Int = RedactingWriter.textLimit) -> String {
        guard text.utf8.count > Self.scanLimit else {
            return redactor.redacted(text).cut(to: limit)
        }
        // The cut may split a word that is recognizable only as a whole, so the last word is
        // dropped too.
        let start = text.cut(to: Self.scanLimit)
        let whole = start.lastIndex { $0.isWhitespace }.map { start[..<$0] } ?? ""
        return redactor.redacted(String(whole)).cut(to: limit)
    }

    /// Redacts the name of a program, a release or an environment.
    ///
    /// In `films@1.0.2` the part before the `@` is not the user of an email address.
    func label(_ label: String) -> String {
        let text = label.cut(to: Self.scanLimit)
        let name = text.prefix { $0 != "@" }
        let isRelease = name.count < text.count && !name.contains { ":/%".contains($0) }
        let rest = isRelease ? text.dropFirst(name.count + 1) : text[...]
        let parts = (isRelease ? [name, rest] : [rest]).map { part in
            redactor.redacted(String(part), keepsDigests: true)
        }
        return parts.joined(separator: "@").cut(to: Self.textLimit)
    }

    /// Returns the end of a text.
    ///
    /// The whole text is redacted first, because a cut can leave part of a secret that is no longer
    /// recognizable.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of bytes. The result starts at the beginning of a line if
    ///     possible.
    /// - Returns: The redacted end.
    func tail(of text: String, limit: Int) -> String {
        let bytes = Array(redactor.redacted(text).utf8)
        guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
        let end = bytes.suffix(limit)
        let line = end.firstIndex(of: UInt8(ascii: "\n")).map { end[($0 + 1)...] } ?? []
        let isLine = !line.isEmpty
        // The cut does not split a character.
        let kept = isLine ? line : end.drop { $0 & 0xC0 == 0x80 }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Redacts a user.
    ///
    /// Identifiers without a name, such as UUIDs, look like keys but are kept.
    func user(_ user: String) -> String {
        let isNumber = user.utf8.allSatisfy { $0.isHexadecimal || $0 == UInt8(ascii: "-") }
        return isNumber && user.utf8.count <= 128 ? user : text(user)
    }

    func name(_ name: String) -> String {
        text(name, limit: Self.nameLimit)
    }

    /// Redacts a value according to its name.
    func value(_ value: ReportValue, for name: String) -> ReportValue {
        if SecretName.reach(of: Array(name.utf8)[...]) != nil { return .text(Redactor.mark) }
        guard case .text(let text) = value else { return value }
        return .text(self.text(text))
    }

    func errors(_ chain: [ReportedError]) -> [ReportedError] {
        chain.map { error in
            ReportedError(
                domain: text(error.domain),
                code: error.code.map(text(_:)),
                message: text(error.message),
                location: error.location.map(text(_:))
            )
        }
    }

    private func text(_ text: String) -> String {
        self.text(text, limit: Self.textLimit)
    }
}

extension String {
    /// Returns at most `limit` bytes from the start, without splitting a character.
    func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
