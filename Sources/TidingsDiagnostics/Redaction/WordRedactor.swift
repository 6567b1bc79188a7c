// SPDX-License-Identifier: Apache-2.0

/// Goes through a text word by word; what one word says may concern the next.
struct WordRedactor {
    /// What the words so far mean for the next one.
    private enum Pending {
        case nothing
        /// A secret's name was read; a colon or an equals sign makes what follows its value.
        case sign(SecretName.Reach)
        case value
        /// The rest of the line goes, and this says whether its mark is written already.
        case line(isMarked: Bool)
    }

    private static let mark = Array(Redactor.mark.utf8)
    /// What can stand before an address: `( , ; = [ { ' /`.
    private static let opening: Set<UInt8> = [0x28, 0x2C, 0x3B, 0x3D, 0x5B, 0x7B, 0x27, 0x2F]
    private static let schemeEnd = Array("://".utf8)
    private static let schemes: Set<[UInt8]> = [Array("bearer".utf8), Array("basic".utf8)]

    private var result: [UInt8] = []
    private var pending = Pending.nothing

    mutating func redacted(_ bytes: [UInt8]) -> String {
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let first = rest.first {
            if first.separatesWords {
                if first == 0x0A || first == 0x0D { pending = .nothing }
                result.append(first)
                rest = rest.dropFirst()
            } else {
                let word = rest.prefix { !$0.separatesWords }
                append(word)
                rest = rest[word.endIndex...]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func append(_ word: ArraySlice<UInt8>) {
        switch pending {
        case .nothing:
            appendLooking(word)
        case .sign(let reach):
            guard word.first == 0x3A || word.first == 0x3D else {
                pending = .nothing
                return appendLooking(word)
            }
            pending = reach == .line ? .line(isMarked: false) : .value
            result.append(contentsOf: word.prefix(1))
            if word.count > 1 { append(word.dropFirst()) }
        case .value:
            if word.contains(where: { $0.isASCIILetterOrDigit || $0 >= 0x80 }) {
                // “Bearer” is not the secret, what follows is.
                let isScheme = Self.schemes.contains(word.map(\.asciiLowercased))
                result.append(contentsOf: isScheme ? Array(word) : Self.mark)
                pending = isScheme ? .value : .nothing
            } else {
                result.append(contentsOf: word)
            }
        case .line(let isMarked):
            if !isMarked { result.append(contentsOf: Self.mark) }
            pending = .line(isMarked: true)
        }
    }

    private mutating func appendLooking(_ word: ArraySlice<UInt8>) {
        var word = Array(word)
        removeCredentials(&word)
        removeQuery(&word)
        removeMailbox(&word)
        let bare = word.trimmed
        let last = word.split { !$0.isASCIILetterOrDigit }.last ?? []
        if Self.schemes.contains(last.map(\.asciiLowercased)) {
            pending = .value
        } else if let reach = SecretName.reach(of: bare), bare.allSatisfy({ $0 != 0x2F }) {
            pending = .sign(reach)
        }
        removeSecret(&word)
        appendWithoutKeys(word)
    }

    /// Takes out what stands before the host of an address.
    private func removeCredentials(_ word: inout [UInt8]) {
        var start = 0
        while let scheme = word[start...].firstRange(of: Self.schemeEnd) {
            start = scheme.upperBound
            let end = word[start...].firstIndex(of: 0x2F) ?? word.endIndex
            let authority = word[start..<end]
            if let at = authority.lastIndex(of: 0x40) {
                word.removeSubrange(start...at)
            } else if hasOddPort(authority) {
                // A password with a slash in it: nobody can tell where it ends.
                word.replaceSubrange(start..., with: Self.mark)
            }
        }
    }

    /// Takes out what stands before the host of a mail address, or of an address without scheme.
    private func removeMailbox(_ word: inout [UInt8]) {
        guard word.firstRange(of: Self.schemeEnd) == nil,
            let at = word.lastIndex(of: 0x40), at + 1 < word.endIndex
        else { return }
        let start = word[..<at].lastIndex { Self.opening.contains($0) }.map { $0 + 1 } ?? 0
        if start < at { word.replaceSubrange(start..<at, with: Self.mark) }
    }

    private func hasOddPort(_ authority: ArraySlice<UInt8>) -> Bool {
        let host = authority.prefix { $0 != 0x3F && $0 != 0x23 }
        guard let colon = host.lastIndex(of: 0x3A), host.last != 0x5D else { return false }
        return !host[(colon + 1)...].filter(\.isASCIILetterOrDigit).allSatisfy(\.isASCIIDigit)
    }

    /// Cuts at the query of an address, encoded or relative, and at a fragment.
    private func removeQuery(_ word: inout [UInt8]) {
        // A question mark at the end of a sentence begins no query.
        guard let last = word.lastIndex(where: { $0.isASCIILetterOrDigit || $0 >= 0x80 }) else {
            return
        }
        let isAddress = word.firstRange(of: Self.schemeEnd) != nil
        for index in word.indices {
            let rest = word[(index + 1)...]
            let isMark = word[index] == 0x3F || (isAddress && word[index] == 0x23)
            let isEncoded =
                word[index] == 0x25 && rest.count > 2 && rest.first == 0x33
                && (rest[index + 2] | 0x20) == 0x66
            guard isMark || isEncoded else { continue }
            let start = isEncoded ? index + 3 : index + 1
            guard start <= last else { return }
            word.replaceSubrange(start..., with: Self.mark)
            return
        }
    }

    /// Cuts after a secret's name and its sign.
    private mutating func removeSecret(_ word: inout [UInt8]) {
        var start = word.startIndex
        for index in word.indices {
            switch word[index] {
            case 0x3A, 0x3D,
                0x25 where word.beginsEncodedSign(at: index):
                if let reach = SecretName.reach(of: word[start..<index]) {
                    let value = word[(index + (word[index] == 0x25 ? 3 : 1))...]
                    let hasValue = value.contains { $0.isASCIILetterOrDigit || $0 >= 0x80 }
                    if hasValue { word.replaceSubrange(value.startIndex..., with: Self.mark) }
                    if reach == .line {
                        pending = .line(isMarked: hasValue)
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

    private mutating func appendWithoutKeys(_ word: [UInt8]) {
        var rest = word[...]
        while let first = rest.first {
            guard first.belongsToKey else {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            let run = rest.prefix { $0.belongsToKey }
            result.append(contentsOf: OpaqueText.isOpaque(run) ? Self.mark[...] : run)
            rest = rest[run.endIndex...]
        }
    }
}

extension UInt8 {
    /// White space, controls, and what encloses an address in a text.
    fileprivate var separatesWords: Bool {
        self <= 0x20 || self == 0x22 || self == 0x3C || self == 0x3E || self == 0x60 || self == 0x7F
    }

    fileprivate var belongsToKey: Bool {
        isASCIILetterOrDigit || self == 0x2D || self == 0x5F
    }
}

extension [UInt8] {
    /// Whether `%3D` or `%3A` begins here, an encoded equals sign or colon.
    fileprivate func beginsEncodedSign(at index: Int) -> Bool {
        guard self[index] == 0x25, index + 2 < count, self[index + 1] == 0x33 else { return false }
        return [0x61, 0x64].contains(self[index + 2] | 0x20)
    }

    /// Without the punctuation around it.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isPunctuation = { (byte: UInt8) in !byte.isASCIILetterOrDigit && byte < 0x80 }
        return drop(while: isPunctuation).trimmingEnd(while: isPunctuation)
    }
}

extension ArraySlice {
    fileprivate func trimmingEnd(while isTrimmed: (Element) -> Bool) -> ArraySlice {
        var slice = self
        while let last = slice.last, isTrimmed(last) { slice.removeLast() }
        return slice
    }
}
