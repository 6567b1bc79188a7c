// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import TidingsHTTP

/// Parses lists of links in text formats: M3U without segments, and PLS.
enum LinkList {
    private enum Format {
        case m3u
        case pls
    }

    /// Returns the list, or nil for a document in another format.
    ///
    /// - Throws: `.tooLarge`.
    static func parse(
        _ bytes: [UInt8],
        charset: String?,
        at address: WebAddress,
        limits: FeedLimits,
        now: Double
    ) throws(FeedError) -> FeedDocument? {
        guard let format = format(of: bytes, at: address) else { return nil }
        let text = PageText.decode(bytes, charset: charset)
        var resolver = FeedResolver(limits)
        var title = ""
        var drafts: [FeedDraft]
        switch format {
        case .m3u: drafts = m3u(text, at: address, &resolver, title: &title)
        case .pls: drafts = pls(text, at: address, &resolver)
        }
        guard drafts.count <= limits.entries, !resolver.isExhausted else {
            throw .tooLarge(limits)
        }
        drafts.removeAll { $0.media == nil }
        guard !drafts.isEmpty || format == .pls else { return nil }
        var document = FeedDocument(title: title, drafts, period: nil, now: now)
        document.isPlaylist = true
        return document
    }

    /// Returns whether a string is the start of a PLS list.
    static func isPLS(_ text: some StringProtocol) -> Bool {
        text.prefix(32).drop(while: \.isWhitespace).lowercased().hasPrefix("[playlist]")
    }

    private static func format(of bytes: [UInt8], at address: WebAddress) -> Format? {
        let start = String(decoding: bytes.prefix(ContentSniffer.prefixLength), as: UTF8.self)
        let text = start.first == "\u{feff}" ? start.dropFirst() : start[...]
        if isPLS(text) { return .pls }
        // A stream is media and not a list of links.
        if start.contains("#EXT-X-") || text.first(where: { !$0.isWhitespace }) == "<" {
            return nil
        }
        let name = address.path.lowercased()
        let isNamed = name.hasSuffix(".m3u") || name.hasSuffix(".m3u8")
        return text.hasPrefix("#EXTM3U") || isNamed ? .m3u : nil
    }

    private static func m3u(
        _ text: String,
        at address: WebAddress,
        _ resolver: inout FeedResolver,
        title: inout String
    ) -> [FeedDraft] {
        var drafts: [FeedDraft] = []
        var next = FeedDraft()
        for line in text.split(whereSeparator: \.isNewline).map(\.trimmingSpaces) {
            if line.hasPrefix("#EXTINF:") {
                next.title =
                    line.firstIndex(of: ",").map { String(line[line.index(after: $0)...]) } ?? ""
            } else if line.hasPrefix("#PLAYLIST:") {
                title = String(line.dropFirst(10))
            } else if line.hasPrefix("#EXTIMG:") {
                next.picture = resolver.resolve(String(line.dropFirst(8)), against: address)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                guard drafts.count <= resolver.limits.entries else { break }
                if let media = resolver.resolve(String(line), against: address) {
                    next.add(media, rank: 1)
                }
                drafts.append(next)
                next = FeedDraft()
            }
        }
        return drafts
    }

    private static func pls(
        _ text: String,
        at address: WebAddress,
        _ resolver: inout FeedResolver
    ) -> [FeedDraft] {
        var drafts: [Int: FeedDraft] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard
                let match = line.trimmingSpaces.wholeMatch(
                    of: /(?i:(File|Title))([0-9]{1,6})\s*=\s*(.*)/
                ),
                let number = Int(match.2), drafts.count <= resolver.limits.entries
            else { continue }
            if match.1.lowercased() == "title" {
                drafts[number, default: FeedDraft()].title = String(match.3)
            } else if let media = resolver.resolve(String(match.3), against: address) {
                drafts[number, default: FeedDraft()].add(media, rank: 1)
            }
        }
        return drafts.sorted { $0.key < $1.key }.map(\.value)
    }
}
