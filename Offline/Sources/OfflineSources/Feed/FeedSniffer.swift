// SPDX-License-Identifier: Apache-2.0
import OfflineMedia

/// Recognizes a feed by the first bytes.
enum FeedSniffer {
    /// The media types of feeds, which servers seldom use for anything else.
    static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/rdf+xml",
        "application/feed+json", "application/xspf+xml", "audio/x-scpls", "text/x-opml",
    ]

    /// Returns whether the bytes are the start of a feed.
    static func isFeed(_ bytes: some Collection<UInt8>) -> Bool {
        isFeed(String(decoding: bytes.prefix(ContentSniffer.prefixLength), as: UTF8.self))
    }

    /// Returns whether a string starts a feed, based on the outermost element or on the JSON
    /// version.
    static func isFeed(_ text: String) -> Bool {
        var rest = text[...]
        if rest.first == "\u{feff}" { rest = rest.dropFirst() }
        rest = rest.drop(while: \.isWhitespace)
        if LinkList.isPLS(rest) { return true }
        if rest.first == "{" {
            return rest.firstMatch(of: /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org/) != nil
        }
        while rest.hasPrefix("<?") || rest.hasPrefix("<!--") {
            guard let end = rest.firstRange(of: rest.hasPrefix("<?") ? "?>" : "-->") else {
                return false
            }
            rest = rest[end.upperBound...].drop(while: \.isWhitespace)
        }
        if rest.firstMatch(of: /^<playlist\s[^>]{0,500}xspf\.org/) != nil { return true }
        return rest.firstMatch(of: /^<([A-Za-z_]+:)?(rss|feed|RDF|opml)[\s>]/) != nil
    }

    /// Returns whether the document starts with the first character of a JSON object.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        return bytes[start...].first { $0 > 0x20 } == UInt8(ascii: "{")
    }
}
