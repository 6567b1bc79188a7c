// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A part of a pasted text that is meant as an address.
enum PastedCandidate: Hashable {
    /// A part that starts with a scheme.
    case written(String)
    /// A part that starts with a host.
    case bare(String)

    /// Returns the address, with https if no scheme is written.
    ///
    /// - Throws: `HTTPError` if the address cannot be fetched.
    func address() throws(HTTPError) -> WebAddress {
        switch self {
        case .written(let text):
            try Self.checkMarks(text)
            return try WebAddress(text)
        case .bare(let text):
            try Self.checkMarks(text)
            let encrypted = try WebAddress("https://" + text)
            // No authority gives a certificate to this machine or to a numeric address at home.
            return encrypted.isLocal || encrypted.port == 80
                ? try WebAddress("http://" + text) : encrypted
        }
    }

    /// Throws for a mark that changes the look of an address, and would hide the real address.
    private static func checkMarks(_ text: String) throws(HTTPError) {
        let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
        guard
            text.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .format && !joiners.contains($0)
            })
        else { return }
        throw HTTPError(
            .invalidAddress,
            "This address cannot be fetched: it contains an invisible character, such as a mark of "
                + "the writing direction; type the address or copy it from another place."
        )
    }

    // MARK: Schemes

    /// The schemes that are written without `//`.
    ///
    /// Without this list, any word with a colon would count as a scheme.
    private static let foreignSchemes: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "magnet",
    ]

    /// Returns whether a word starts with a scheme other than http and https.
    static func hasForeignScheme(_ word: PastedLine.Scalars) -> Bool {
        let name = word.prefix { $0.isASCII && ($0.properties.isAlphabetic || isMark($0)) }
        guard !name.isEmpty, name.endIndex < word.endIndex, word[name.endIndex] == ":" else {
            return false
        }
        let scheme = String(String.UnicodeScalarView(name)).lowercased()
        let rest = word[(name.endIndex + 1)...]
        if scheme == "http" || scheme == "https" || rest.isEmpty { return false }
        return foreignSchemes.contains(scheme) || rest.starts(with: "//".unicodeScalars)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        "+-.0123456789".unicodeScalars.contains(scalar)
    }

    /// Returns the first index of `http://` or `https://` in any case.
    static func webScheme(in scalars: PastedLine.Scalars) -> Int? {
        scalars.indices.first { webScheme(at: $0, in: scalars) }
    }

    static func webScheme(at index: Int, in scalars: PastedLine.Scalars) -> Bool {
        guard index < scalars.endIndex, scalars[index] == "h" || scalars[index] == "H" else {
            return false
        }
        let start = String(String.UnicodeScalarView(scalars[index...].prefix(8))).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    // MARK: Addresses without a scheme

    /// Returns whether a word is a host, perhaps with a port, a path and a query.
    ///
    /// - Parameters:
    ///   - text: The word.
    ///   - isWholeLine: Whether the word is the whole line, and so more probably meant as an
    ///     address.
    /// - Returns: Whether the word is meant as an address.
    static func isBareAddress(_ text: String, isWholeLine: Bool) -> Bool {
        let authority = text.prefix { !"/?#".contains($0) }
        // `address()` refuses such a line with a message that names the user name or the password.
        if isWholeLine, authority.contains("@"), authority.contains(".") { return true }
        let (host, port) = parts(of: authority)
        guard port.allSatisfy({ $0.isASCII && $0.isNumber }), isHost(host) else { return false }
        return isWholeLine || text[authority.endIndex...].hasPrefix("/")
            || host.lowercased().hasPrefix("www.")
    }

    private static func parts(of authority: Substring) -> (host: Substring, port: Substring) {
        let start = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[start...].lastIndex(of: ":") else { return (authority, "") }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") { return host.contains(":") }
        if host.lowercased() == "localhost" { return true }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy(isLabel), let last = labels.last else {
            return false
        }
        if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
        return last.count > 1 && last.allSatisfy(\.isLetter) || last.lowercased().hasPrefix("xn--")
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
}
