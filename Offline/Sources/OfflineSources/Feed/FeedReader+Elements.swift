// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import TidingsHTTP

extension FeedReader {
    /// Returns the field of the feed that receives the text of an element, or nil if there is none.
    func feedField(
        _ vocabulary: FeedNamespace,
        name: String,
        in parent: String
    ) -> Field? {
        if isPlaylist { return parent == "playlist" && name == "title" ? .feedTitle : nil }
        // The title of the feed's picture must not become the title of the feed.
        guard parent == "channel" || parent == "feed" else { return nil }
        return switch (vocabulary, name) {
        case (.rss, "title"), (.atom, "title"): title.isEmpty ? .feedTitle : nil
        case (.rss, "ttl"): .minutes
        case (.syndication, "updatePeriod"): .updatePeriod
        case (.syndication, "updateFrequency"): .updateFrequency
        default: nil
        }
    }

    /// Reads the attributes of an element in an entry.
    ///
    /// - Returns: The field that receives the text of the element, or nil if there is none.
    mutating func read(
        _ element: XMLTree,
        _ vocabulary: FeedNamespace,
        name: String
    ) -> Field? {
        if isPlaylist { return isInEntry ? trackField(name) : nil }
        switch (vocabulary, name) {
        case (.media, "content"):
            readContent(element)
            return nil
        case _ where !isInEntry: return nil
        case (.rss, "enclosure"):
            add(element["url"] ?? element["href"], type: element["type"])
            return nil
        case (.atom, "link") where element["href"] != nil,
            (.rss, "link") where element["href"] != nil:
            readLink(element)
            return nil
        case (.atom, "content") where element["src"] != nil:
            if element["type"] != nil { add(element["src"], type: element["type"]) }
            return nil
        default: return textField(element, vocabulary, named: name)
        }
    }

    private mutating func textField(
        _ element: XMLTree,
        _ vocabulary: FeedNamespace,
        named name: String
    ) -> Field? {
        switch (vocabulary, name) {
        case (.rss, "title"): return .title(isMarkup: true)
        case (.atom, "title"): return .title(isMarkup: element["type"] == "html")
        case (.itunes, "title"): return draft?.title.isEmpty == true ? .title(isMarkup: true) : nil
        case (.rss, "guid"):
            draft?.isGuidAddress = element["isPermaLink"]?.lowercased() != "false"
            return .guid
        case (.atom, "id"), (.rss, "id"): return .guid
        case (.rss, "link"): return .link
        case (.rss, "pubDate"), (.atom, "published"), (.rss, "published"): return .date(.published)
        case (.dublinCore, "date"), (.atom, "issued"): return .date(.stated)
        case (.atom, "updated"), (.rss, "updated"), (.atom, "modified"): return .date(.changed)
        default: return nil
        }
    }

    /// Stores the value of an element.
    mutating func set(_ field: Field, _ raw: String) {
        // The reader cuts a longer value, and a cut value would be a different value.
        let text = raw.utf8.count > limits.textBytes ? "" : FeedText.trimmed(raw)
        switch field {
        case .feedTitle: title = raw
        case .title(let isMarkup):
            let plain = isMarkup ? FeedText.plain(raw) : raw
            if draft?.title.isEmpty == true { draft?.title = Title(line: plain, fallback: "").text }
        case .guid:
            if !text.isEmpty { draft?.guid = text }
            guard draft?.isGuidAddress == true, draft?.page == nil, text.hasPrefix("http") else {
                return
            }
            draft?.page = try? WebAddress(text)
        case .link: if let page = resolve(text) { draft?.page = page }
        case .date(let rank): draft?.add(date: text, rank)
        case .location, .picture: setAddress(field, text)
        case .minutes: pace.minutes = DecimalNumber.whole(text)
        case .updatePeriod: pace.updatePeriod = text.lowercased()
        case .updateFrequency: pace.updateFrequency = DecimalNumber.whole(text)
        }
    }

    private mutating func readLink(_ element: XMLTree) {
        switch element["rel"]?.lowercased() ?? "alternate" {
        case "enclosure": add(element["href"], type: element["type"])
        case "alternate":
            guard draft?.page == nil, let page = resolve(element["href"]) else { return }
            draft?.page = page
        default: break
        }
    }

    /// Reads the picture of the feed or of an entry.
    ///
    /// The publisher's own element takes precedence.
    mutating func readPicture(
        _ element: XMLTree,
        _ vocabulary: FeedNamespace,
        name: String,
        in parent: String
    ) {
        switch (vocabulary, name) {
        case (.itunes, "image") where draft != nil:
            if let address = resolve(element["href"]) { draft?.picture = address }
        case (.itunes, "image") where parent == "channel":
            picture = resolve(element["href"])
        case (.media, "thumbnail") where draft != nil && draft?.picture == nil:
            if let address = resolve(element["url"]) { draft?.picture = address }
        default: break
        }
    }

    private mutating func readContent(_ element: XMLTree) {
        guard let address = resolve(element["url"]) else { return }
        let rank = FeedMedia.rank(
            ofContent: element["type"],
            medium: element["medium"],
            isDefault: element["isDefault"]?.lowercased() == "true",
            at: address
        )
        draft?.add(address, rank: rank)
    }

    private mutating func add(_ reference: String?, type: String?) {
        guard let address = resolve(reference) else { return }
        draft?.add(address, rank: FeedMedia.rank(ofEnclosure: type, at: address))
    }

    /// Returns the address of a reference, or nil if the reference cannot be fetched.
    private mutating func resolve(_ reference: String?) -> WebAddress? {
        resolver.resolve(reference, against: base)
    }
}

/// The elements in which a feed asks for a time between two checks.
struct FeedPace: Hashable, Sendable {
    var minutes: Int?
    var updatePeriod: String?
    var updateFrequency: Int?

    private static let periods = [
        "hourly": 3_600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000,
        "yearly": 31_536_000,
    ]

    /// The time between two checks, or nil without a valid element.
    var period: Duration? {
        // A longer time is cut later, and the product must not overflow.
        if let minutes, minutes > 0 { return .seconds(min(minutes, 1 << 30) * 60) }
        guard let updatePeriod, let seconds = Self.periods[updatePeriod] else { return nil }
        return .seconds(seconds / max(1, updateFrequency ?? 1))
    }
}
