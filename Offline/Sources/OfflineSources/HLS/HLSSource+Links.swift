// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

extension HLSSource {
    /// The extensions of segments.
    ///
    /// A list of links does not consist of segments.
    private static let segments = [".ts", ".m4s", ".cmfv", ".cmfa", ".m2ts"]

    /// Returns the list of links if the document is not a stream but such a list, or nil otherwise.
    package func links(in document: SourceDocument) -> FeedDocument? {
        let address = document.head.address
        let list = try? LinkList.parse(
            document.bytes,
            charset: document.head.charset,
            at: address,
            limits: FeedLimits(),
            now: 0
        )
        guard let list, !list.entries.isEmpty, !list.entries.allSatisfy(Self.isSegment),
            (try? PlaylistParser.parse(document.bytes, at: address, acceptsLive: true)) == nil
        else { return nil }
        return list
    }

    /// Returns whether a response starts like a list of links, but without a first line that names
    /// the format.
    static func beginsWithLink(_ response: FirstResponse) -> Bool {
        let name = response.head.address.lastPathComponent.lowercased()
        guard response.content == .text, name.hasSuffix(".m3u8") || name.hasSuffix(".m3u")
        else { return false }
        let lines = String(decoding: response.prefix, as: UTF8.self)
            .split(whereSeparator: \.isNewline).map(\.trimmingSpaces)
        let isStream = lines.contains { $0.hasPrefix("#EXT-X-") || $0.hasPrefix("#EXTM3U") }
        let links = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        // The last of several lines may be cut off.
        let whole = links.count > 1 ? links.dropLast() : links[...]
        return !isStream && !links.isEmpty && whole.allSatisfy { isLink($0) }
            && !links.allSatisfy { isSegment(named: $0[...]) }
    }

    /// Returns whether a line can be the address of an entry, and not a sentence or JSON.
    private static func isLink(_ line: some StringProtocol) -> Bool {
        guard !line.contains(where: { "{}<>\"".contains($0) }) else { return false }
        let path = line.prefix { $0 != "?" && $0 != "#" }
        return path.contains("://") || String(path).wholeMatch(of: /.*\.[A-Za-z0-9]{1,5}/) != nil
    }

    private static func isSegment(_ entry: FeedEntry) -> Bool {
        entry.media.map { isSegment(named: $0.lastPathComponent[...]) } ?? false
    }

    private static func isSegment(named name: Substring) -> Bool {
        let name = name.lowercased().prefix { $0 != "?" }
        return segments.contains(where: name.hasSuffix)
    }
}
