// SPDX-License-Identifier: Apache-2.0

/// Makes everything that enters a report fit for it: redacted first, then cut.
struct Scribe: Sendable {
    /// The longest text of a message, a value or a breadcrumb, in bytes.
    static let textLimit = 1_024
    /// The longest name of a key, in bytes.
    static let nameLimit = 64
    /// What is looked at of a text; the rest is dropped unseen.
    private static let lookLimit = 8_192

    let redactor: Redactor

    func text(_ text: String, limit: Int = Scribe.textLimit) -> String {
        guard text.utf8.count > Self.lookLimit else {
            return redactor.redacted(text).cut(to: limit)
        }
        // The cut may have split a word that only as a whole looks like what must go.
        let start = text.cut(to: Self.lookLimit)
        let whole = start.lastIndex { $0.isWhitespace }.map { start[..<$0] } ?? ""
        return redactor.redacted(String(whole)).cut(to: limit)
    }

    /// The name of a program, a release or an environment.
    ///
    /// In `films@1.0.2` the first part is no user of a server.
    func label(_ label: String) -> String {
        let text = label.cut(to: Self.lookLimit)
        let name = text.prefix { $0 != "@" }
        let isRelease = name.count < text.count && !name.contains { ":/%".contains($0) }
        let rest = isRelease ? text.dropFirst(name.count + 1) : text[...]
        let parts = (isRelease ? [name, rest] : [rest]).map { part in
            redactor.redacted(String(part), keepsDigests: true)
        }
        return parts.joined(separator: "@").cut(to: Self.textLimit)
    }

    /// The end of a text, all of which is looked at first: a cut can leave a part of a secret that
    /// does not look like one any more.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: How many bytes are kept, from the beginning of a line if there is one.
    /// - Returns: The end.
    func end(of text: String, limit: Int) -> String {
        let bytes = Array(redactor.redacted(text).utf8)
        guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
        let end = bytes.suffix(limit)
        let line = end.firstIndex(of: UInt8(ascii: "\n")).map { end[($0 + 1)...] } ?? []
        let isLine = !line.isEmpty
        // Never with half a character.
        let kept = isLine ? line : end.drop { $0 & 0xC0 == 0x80 }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Who uses the program: what tells people apart without a name looks like a key, and is none.
    func user(_ user: String) -> String {
        let isNumber = user.utf8.allSatisfy { $0.isHexadecimal || $0 == UInt8(ascii: "-") }
        return isNumber && user.utf8.count <= 128 ? user : text(user)
    }

    func name(_ name: String) -> String {
        text(name, limit: Self.nameLimit)
    }

    /// The value as it may be kept under this name.
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
    /// The text's beginning of at most `limit` bytes, never with half a character.
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
