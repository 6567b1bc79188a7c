// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

extension HTTPHeader {
    /// Headers that only the client sets, or whose effect would damage a download.
    private static let ownNames: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host",
        "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "keep-alive", "range", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Parses `Name: value`.
    ///
    /// - Throws: `LibraryError` with `.invalidOption`, whose message contains no value.
    init(line: String) throws(LibraryError) {
        guard let colon = line.firstIndex(of: ":") else {
            throw LibraryError(
                .invalidOption,
                "A header has no colon. Use --header 'Name: value'."
            )
        }
        let value = line[line.index(after: colon)...]
        let trimmed = value.drop { $0 == " " || $0 == "\t" }
        let end = trimmed.lastIndex { $0 != " " && $0 != "\t" }.map(trimmed.index(after:))
        self.init(String(line[..<colon]), String(trimmed[..<(end ?? trimmed.startIndex)]))
        guard isSendable else {
            throw LibraryError(
                .invalidOption,
                "The header \(redactedName) contains an invalid character. Use --header 'Name: "
                    + "value', in one line."
            )
        }
        let lowercased = name.lowercased()
        guard !Self.ownNames.contains(lowercased), !lowercased.hasPrefix("proxy-") else {
            throw LibraryError(
                .invalidOption,
                "The program sets the header \(redactedName) itself. Leave it out."
            )
        }
    }
}
