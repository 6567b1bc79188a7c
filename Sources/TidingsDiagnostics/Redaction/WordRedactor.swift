// SPDX-License-Identifier: Apache-2.0

/// Redacts a text word by word, where a word can determine how the next word is treated.
struct WordRedactor {
    /// The treatment of the next word.
    private enum Pending {
        case nothing
        case value
        /// Text up to the closing quote is redacted.
        ///
        /// `isEscaped` records whether a backslash precedes the opening quote, and `isMarked`
        /// whether the replacement is written.
        case quote(isEscaped: Bool, isMarked: Bool)
        /// Text up to an apostrophe is redacted, and the replacement is already written.
        case apostrophe
        /// The rest of the line is redacted.
        ///
        /// `isMarked` records whether the replacement is written.
        case line(isMarked: Bool)
    }

    private static let mark = Array(Redactor.mark.utf8)
    private static let schemes = [Array("bearer".utf8), Array("basic".utf8)]

    private let keepsDigests: Bool
    private var result: [UInt8] = []
    private var pending = Pending.nothing
    /// The last word, as the possible name before a detached sign, as in `token = 1`.
    private var lastWord: ArraySlice<UInt8> = []
    /// The byte before the current byte or word.
    private var previous: UInt8?

    init(keepsDigests: Bool = false) {
        self.keepsDigests = keepsDigests
    }

    mutating func redacted(_ bytes: [UInt8]) -> String {
        result.reserveCapacity(bytes.count)
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, !bytes[end].separatesWords { end += 1 }
            if end > start {
                append(bytes[start..<end])
                start = end
            } else {
                appendSeparator(bytes[start])
                start += 1
            }
            previous = bytes[start - 1]
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func appendSeparator(_ byte: UInt8) {
        let isEscaped = previous == 0x5C
        switch pending {
        case _ where byte == 0x0A || byte == 0x0D:
            pending = .nothing
            lastWord = []
        case .value where byte == 0x22:
            pending = .quote(isEscaped: isEscaped, isMarked: false)
        // A quote within the value has a backslash that the opening quote does not have.
        case .quote(let wasEscaped, _) where byte == 0x22 && (wasEscaped || !isEscaped):
            pending = .nothing
        case .nothing, .value, .quote, .apostrophe, .line: break
        }
        result.append(byte)
    }

    private mutating func append(_ word: ArraySlice<UInt8>) {
        switch pending {
        case .nothing:
            let last = lastWord
            lastWord = word
            if word.first == 0x3A || word.first == 0x3D,
                let reach = SecretName.reach(of: last.bare)
            {
                pending = reach == .line ? .line(isMarked: false) : .value
                result.append(contentsOf: word.prefix(1))
                if word.count > 1 { append(word.dropFirst()) }
            } else {
                appendRedacted(word)
            }
        case .value:
            guard word.contains(where: \.isText) else {
                result.append(contentsOf: word)
                return
            }
            // The secret is not "Bearer" but the next word.
            let isScheme = endsWithScheme(word)
            result.append(contentsOf: isScheme ? word : Self.mark[...])
            pending = isScheme ? .value : word.opensApostrophes ? .apostrophe : .nothing
        case .quote(let isEscaped, let isMarked):
            if !isMarked { result.append(contentsOf: Self.mark) }
            pending = .quote(isEscaped: isEscaped, isMarked: true)
        case .apostrophe:
            if word.contains(0x27) { pending = .nothing }
        case .line(let isMarked):
            if !isMarked { result.append(contentsOf: Self.mark) }
            pending = .line(isMarked: true)
        }
    }

    private mutating func appendRedacted(_ word: ArraySlice<UInt8>) {
        if endsWithScheme(word) { pending = .value }
        if word.allSatisfy(\.isPlain) {
            appendWithoutKeys(word)
        } else {
            var address = RedactedAddress(word)
            address.redact()
            var bytes = address.bytes
            removeSecret(&bytes)
            appendWithoutKeys(bytes[...])
        }
    }

    /// Whether the last name in the word announces a credential.
    private func endsWithScheme(_ word: ArraySlice<UInt8>) -> Bool {
        var end = word.endIndex
        while end > word.startIndex, !word[end - 1].isText { end -= 1 }
        return Self.schemes.contains { scheme in
            let start = end - scheme.count
            guard start >= word.startIndex else { return false }
            guard start == word.startIndex || !word[start - 1].isText else { return false }
            return zip(word[start..<end], scheme).allSatisfy { $0.asciiLowercased == $1 }
        }
    }

    /// Redacts the part of a word after a secret name and its sign.
    private mutating func removeSecret(_ word: inout [UInt8]) {
        var start = word.startIndex
        for index in word.indices {
            switch word[index] {
            case 0x3A, 0x3D,
                0x25 where word.beginsEncodedSign(at: index):
                if let reach = SecretName.reach(of: word[start..<index]) {
                    let value = index + (word[index] == 0x25 ? 3 : 1)
                    let hasValue = word[value...].contains(where: \.isText)
                    let opensApostrophes = hasValue && word[value...].opensApostrophes
                    if hasValue { word.replaceSubrange(value..., with: Self.mark) }
                    if reach == .line {
                        pending = .line(isMarked: hasValue)
                    } else if opensApostrophes {
                        pending = .apostrophe
                    } else if !hasValue {
                        pending = .value
                    }
                    return
                }
                start = index + 1
            case 0x26, 0x3B, 0x2C, 0x28, 0x5B, 0x7B, 0x2F, 0x27, 0x3F:
                start = index + 1
            default:
                continue
            }
        }
    }

    private mutating func appendWithoutKeys(_ word: ArraySlice<UInt8>) {
        guard word.count >= OpaqueText.shortest else {
            result.append(contentsOf: word)
            return
        }
        var start = word.startIndex
        while start < word.endIndex {
            var end = start
            while end < word.endIndex, word[end].belongsToKey { end += 1 }
            let run = word[start..<end]
            let isKey = OpaqueText.isOpaque(run) && !(keepsDigests && OpaqueText.isDigest(run))
            result.append(contentsOf: isKey ? Self.mark[...] : run)
            if end < word.endIndex { result.append(word[end]) }
            start = end + 1
        }
    }
}

extension UInt8 {
    /// White space, control characters and the characters that enclose an address in a text.
    fileprivate var separatesWords: Bool {
        self <= 0x20 || self == 0x22 || self == 0x3C || self == 0x3E || self == 0x60 || self == 0x7F
    }

    fileprivate var belongsToKey: Bool {
        isASCIILetterOrDigit || self == 0x2D || self == 0x5F
    }

    /// Whether a word of such bytes alone contains neither an address nor a sign.
    fileprivate var isPlain: Bool {
        belongsToKey || self >= 0x80 || self == 0x2E || self == 0x2C || self == 0x2F
    }
}

extension [UInt8] {
    /// Whether `%3D` or `%3A`, an encoded equals sign or colon, starts at this index.
    fileprivate func beginsEncodedSign(at index: Int) -> Bool {
        guard self[index] == 0x25, index + 2 < count, self[index + 1] == 0x33 else { return false }
        return self[index + 2] | 0x20 == 0x61 || self[index + 2] | 0x20 == 0x64
    }
}

extension ArraySlice<UInt8> {
    /// Whether the slice starts with an apostrophe whose closing counterpart is in a later word.
    fileprivate var opensApostrophes: Bool {
        first == 0x27 && !dropFirst().contains(0x27)
    }

    /// The slice without surrounding punctuation.
    fileprivate var bare: ArraySlice<UInt8> {
        var slice = drop { !$0.isText }
        while let last = slice.last, !last.isText { slice.removeLast() }
        return slice
    }
}
