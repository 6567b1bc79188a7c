// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineMedia
package import TidingsHTTP

/// Parses RSS 2.0, RSS 1.0, Atom and JSON Feed, and the playlists M3U, PLS and XSPF.
///
/// Memory and time are linear in the size of the document.
package enum FeedParser {
    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The body of the response.
    ///   - charset: The charset that the server states, or nil if the server states none.
    ///   - address: The address of the document after redirects.
    ///   - limits: The largest feed to accept.
    ///   - now: The present time. Later dates are wrong.
    /// - Returns: The feed.
    /// - Throws: `FeedError` for every document that is not a complete feed.
    package static func parse(
        _ bytes: [UInt8],
        charset: String? = nil,
        at address: WebAddress,
        limits: FeedLimits = .init(),
        now: Date = Date()
    ) throws(FeedError) -> FeedDocument {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limits) }
        let now = now.timeIntervalSince1970
        if FeedSniffer.isObject(bytes) {
            return try JSONFeed.parse(bytes, at: address, limits: limits, now: now)
        }
        let list = try LinkList.parse(
            bytes,
            charset: charset,
            at: address,
            limits: limits,
            now: now
        )
        if let list { return list }
        var reader = FeedReader(at: address, limits: limits)
        do {
            try XMLReader.read(utf8(bytes, charset), limits: limits.xml, into: &reader)
        } catch {
            if reader.isOther { throw .notAFeed(address) }
            if reader.hasTooManyEntries { throw .tooLarge(limits) }
            // The start of a web page is not XML either.
            guard reader.isRecognized || FeedSniffer.isFeed(bytes) else { throw .notAFeed(address) }
            throw FeedError(
                error.code == .tooLarge ? .tooLarge : .damaged,
                "The feed cannot be read. \(error.message)",
                cause: error
            )
        }
        guard !reader.resolver.isExhausted else { throw .tooLarge(limits) }
        guard reader.listed.count == 0 else {
            throw .leading(address, "a list (OPML)", to: reader.listed.feeds)
        }
        var document = FeedDocument(
            title: reader.title,
            reader.drafts,
            picture: reader.picture,
            period: reader.period,
            now: now
        )
        document.isPlaylist = reader.isPlaylist
        return document
    }

    /// Returns the document in UTF-8.
    ///
    /// The bytes take precedence, because some servers state the wrong charset.
    private static func utf8(_ bytes: [UInt8], _ charset: String?) -> [UInt8] {
        if !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil { return bytes }
        var stated = declaredEncoding(bytes) ?? charset
        if bytes.starts(with: [0x3c, 0]) { stated = "utf-16le" }
        if bytes.starts(with: [0, 0x3c]) { stated = "utf-16be" }
        let text = PageText.decode(bytes, charset: stated)
        // XML cannot contain control characters, but a few publishers send such characters.
        return text.utf8.map { $0 >= 0x20 || (0x09...0x0d).contains($0) ? $0 : 0x20 }
    }

    /// Returns the encoding that the XML declaration names.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let start = String(decoding: bytes.prefix(200).map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self)
        return start.firstMatch(of: /<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9_\-]+)["']/)
            .map { $0.1.lowercased() }
    }
}

extension FeedError {
    /// Returns the error for a feed that exceeds the limits.
    package static func tooLarge(_ limits: FeedLimits) -> FeedError {
        FeedError(
            .tooLarge,
            "The feed has more than \(limits.bytes >> 20) MiB or \(limits.entries) entries. Ask "
                + "its publisher for a shorter one."
        )
    }

    /// Returns the error for a document that is not a feed.
    package static func notAFeed(_ address: WebAddress) -> FeedError {
        FeedError(
            .notAFeed,
            "\(address.redacted) is no feed (RSS, Atom, JSON Feed) and no playlist (M3U, PLS, "
                + "XSPF). Look on its page for the address of the feed, or use `offline get` for a single film or recording."
        )
    }
}
