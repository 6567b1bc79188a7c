// SPDX-License-Identifier: Apache-2.0

/// Redacts a word that may be or contain an address.
struct RedactedAddress {
    private static let mark = Array(Redactor.mark.utf8)

    private(set) var bytes: [UInt8]
    private let hasScheme: Bool

    init(_ word: ArraySlice<UInt8>) {
        bytes = Array(word)
        hasScheme = AddressText.schemeEnd(in: bytes[...]) != nil
    }

    /// Removes credentials, queries, fragments and the names in email addresses.
    mutating func redact() {
        removeCredentials()
        if !hasScheme {
            removeBareCredentials()
            removeMailbox()
        }
        removeQuery()
    }

    /// Removes everything before the host of an address.
    private mutating func removeCredentials() {
        var start = 0
        while let scheme = AddressText.schemeEnd(in: bytes[start...]) {
            start = scheme.upperBound
            let authority = bytes[start..<AddressText.authorityEnd(in: bytes[start...])]
            if let at = AddressText.lastAt(in: authority) {
                bytes.removeSubrange(start..<at)
            } else if hasOddPort(authority) {
                // The end of a password that contains a slash is unknown.
                bytes.replaceSubrange(start..., with: Self.mark)
                return
            }
        }
    }

    /// Removes credentials without a scheme: a name, a colon, a password, an `@`.
    private mutating func removeBareCredentials() {
        guard let at = bytes.lastIndex(of: 0x40),
            let colon = bytes[..<at].firstIndex(of: 0x3A), colon + 1 < at
        else { return }
        let before = bytes[..<colon].lastIndex { !$0.isText }
        bytes.replaceSubrange((before.map { $0 + 1 } ?? 0)..., with: Self.mark)
    }

    private func hasOddPort(_ authority: ArraySlice<UInt8>) -> Bool {
        let host = authority.prefix { $0 != 0x3F && $0 != 0x23 }
        guard let colon = host.lastIndex(of: 0x3A), host.last != 0x5D else { return false }
        return host[(colon + 1)...].contains { $0.isASCIILetterOrDigit && !$0.isASCIIDigit }
    }

    /// Cuts at the query of an address, encoded or relative, and at a fragment.
    private mutating func removeQuery() {
        // A question mark at the end of a sentence does not start a query.
        guard let last = bytes.lastIndex(where: \.isText) else { return }
        for index in bytes.indices {
            let start: Int
            switch bytes[index] {
            case 0x3F: start = index + 1
            case 0x23 where hasScheme: start = index + 1
            case 0x25 where isEncodedQuestionMark(at: index): start = index + 3
            default: continue
            }
            if start <= last { bytes.replaceSubrange(start..., with: Self.mark) }
            return
        }
    }

    /// Removes everything before the host of an email address.
    private mutating func removeMailbox() {
        guard let at = bytes.lastIndex(of: 0x40), at + 1 < bytes.endIndex else { return }
        let start = bytes[..<at].lastIndex { $0.opensAddress }.map { $0 + 1 } ?? 0
        // An earlier pass has redacted this address already.
        let isMarked = start > 0 && bytes[(start - 1)..<at].elementsEqual(Self.mark)
        if start < at, !isMarked { bytes.replaceSubrange(start..<at, with: Self.mark) }
    }

    private func isEncodedQuestionMark(at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index + 1] == 0x33 && bytes[index + 2] | 0x20 == 0x66
    }
}

extension UInt8 {
    /// Whether the byte belongs to a letter or a digit, in ASCII or not.
    var isText: Bool { isASCIILetterOrDigit || self >= 0x80 }

    /// Whether the byte can precede an address: `( , ; = [ { ' /`.
    fileprivate var opensAddress: Bool {
        switch self {
        case 0x28, 0x2C, 0x3B, 0x3D, 0x5B, 0x7B, 0x27, 0x2F: true
        default: false
        }
    }
}
