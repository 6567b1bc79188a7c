// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

/// The parts of an address as libcurl's URL API parses them.
struct CurlURL {
    let scheme: String
    let host: String
    let port: UInt16
    let path: String
    let query: String?
    let text: String

    /// Servers reject addresses above 8 to 16 KiB.
    ///
    /// A longer address is an attack or a mistake.
    private static let maximumLength = 32 * 1024

    private static let flags = CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_DISALLOW_USER

    init(parsing input: String, relativeTo base: WebAddress? = nil) throws(HTTPError) {
        let reference = try Self.cleaned(input)
        if base == nil { try Self.requireScheme(reference) }
        guard let url = curl_url() else { throw Self.invalid("there is not enough memory") }
        defer { curl_url_cleanup(url) }
        if let base {
            try Self.set(url, CURLUPART_URL, to: base.text)
        }
        try Self.set(url, CURLUPART_URL, to: reference)
        try Self.set(url, CURLUPART_FRAGMENT, to: nil)
        let scheme = try Self.get(url, CURLUPART_SCHEME).lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw Self.unsupported(scheme)
        }
        if (try? Self.get(url, CURLUPART_ZONEID)) != nil {
            throw Self.invalid("it names a network interface; remove the part from % on")
        }
        let host = try Self.get(url, CURLUPART_HOST, flags: CURLU_PUNYCODE).lowercased()
        guard Self.isHost(host) else { throw Self.invalid("its host name is invalid") }
        try Self.set(url, CURLUPART_HOST, to: host, flags: 0)
        let port = UInt16(try Self.get(url, CURLUPART_PORT, flags: CURLU_DEFAULT_PORT)) ?? 0
        guard port != 0 else { throw Self.invalid("port 0 cannot be connected to") }
        self.scheme = scheme
        self.host = host
        self.port = port
        path = try Self.get(url, CURLUPART_PATH)
        query = (try? Self.get(url, CURLUPART_QUERY)).flatMap { $0.isEmpty ? nil : $0 }
        text = try Self.get(url, CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT)
    }

    /// Removes surrounding whitespace.
    ///
    /// The function throws for control characters, because C ends a text at a NUL and a header ends
    /// at a line break.
    private static func cleaned(_ input: String) throws(HTTPError) -> String {
        guard input.utf8.count <= maximumLength else {
            throw invalid("it is longer than \(maximumLength) characters")
        }
        let trimmed = input.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:))
        let text = trimmed[..<(end ?? trimmed.startIndex)]
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw invalid("it contains a control character")
        }
        var result = ""
        // libcurl encodes a space in the query as a plus sign. Servers that do not parse the query
        // as a form do not read the plus sign as a space.
        for character in text.unicodeScalars {
            if character == " " { result += "%20" } else { result.unicodeScalars.append(character) }
        }
        return result
    }

    /// Throws a helpful error early.
    ///
    /// libcurl makes the decision later.
    private static func requireScheme(_ text: String) throws(HTTPError) {
        guard let colon = text.firstIndex(of: ":"), text[..<colon].allSatisfy(isSchemeCharacter),
            text[text.index(after: colon)...].first?.isNumber != true
        else { throw invalid("it must begin with http:// or https://") }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { throw unsupported(scheme) }
    }

    private static func isSchemeCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
    }

    /// Returns whether a host has only characters that all software reads in the same way.
    private static func isHost(_ host: String) -> Bool {
        let isV6 = host.hasPrefix("[") && host.hasSuffix("]")
        let marks = isV6 ? "[]:." : "-._"
        return host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
                || marks.utf8.contains(byte)
        }
    }

    private static func set(
        _ url: OpaquePointer,
        _ part: CURLUPart,
        to text: String?,
        flags: Int32 = Self.flags
    ) throws(HTTPError) {
        let code = curl_url_set(url, part, text, UInt32(flags))
        switch code {
        case CURLUE_OK: return
        case CURLUE_UNSUPPORTED_SCHEME:
            throw unsupported(text?.prefix { $0 != ":" }.lowercased() ?? "")
        case CURLUE_USER_NOT_ALLOWED:
            throw invalid("it contains a user name or a password; remove them")
        default: throw invalid(String(cString: curl_url_strerror(code)))
        }
    }

    private static func get(
        _ url: OpaquePointer,
        _ part: CURLUPart,
        flags: Int32 = 0
    )
        throws(HTTPError) -> String
    {
        var text: UnsafeMutablePointer<CChar>?
        let code = tidings_curl_url_get_utf8(url, part, &text, UInt32(flags))
        guard code == CURLUE_OK, let text else {
            throw invalid(String(cString: curl_url_strerror(code)))
        }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func invalid(_ reason: String) -> HTTPError {
        HTTPError(.invalidAddress, "This address cannot be fetched: \(reason).")
    }

    private static func unsupported(_ scheme: String) -> HTTPError {
        HTTPError(
            .unsupportedScheme,
            "The scheme \(scheme.prefix(16)): is not supported. Use http or https."
        )
    }
}
