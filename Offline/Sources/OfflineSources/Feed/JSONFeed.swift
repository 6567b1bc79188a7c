// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

/// Parses JSON Feed 1.0 and 1.1.
///
/// Members with a wrong type count as absent.
enum JSONFeed {
    /// Returns the feed.
    ///
    /// - Throws: `FeedError` if the document is not complete or is not a JSON Feed.
    static func parse(
        _ bytes: [UInt8],
        at address: WebAddress,
        limits: FeedLimits,
        now: Double
    ) throws(FeedError) -> FeedDocument {
        let object: Any
        do {
            object = try JSONSerialization.jsonObject(with: Data(bytes))
        } catch {
            guard FeedSniffer.isFeed(bytes) else { throw .notAFeed(address) }
            throw FeedError(
                .damaged,
                "The feed is no complete JSON document. Try again later, or contact its publisher.",
                cause: error
            )
        }
        guard let feed = object as? [String: Any], let items = feed["items"] as? [Any],
            (feed["version"] as? String)?.contains("jsonfeed.org") == true
        else { throw .notAFeed(address) }
        guard items.count <= limits.entries else { throw .tooLarge(limits) }
        var resolver = FeedResolver(limits)
        let drafts = items.compactMap { $0 as? [String: Any] }
            .map { draft(of: $0, at: address, limits, &resolver) }
        guard !resolver.isExhausted else { throw .tooLarge(limits) }
        return FeedDocument(
            title: feed["title"] as? String ?? "",
            drafts,
            picture: resolver.resolve(feed["icon"] as? String, against: address),
            period: nil,
            now: now
        )
    }

    private static func draft(
        of item: [String: Any],
        at address: WebAddress,
        _ limits: FeedLimits,
        _ resolver: inout FeedResolver
    ) -> FeedDraft {
        func resolve(_ value: Any?) -> WebAddress? {
            resolver.resolve(value as? String, against: address)
        }
        var draft = FeedDraft()
        let id = item["id"] as? String ?? (item["id"] as? NSNumber)?.stringValue
        draft.guid = id.flatMap { $0.isEmpty || $0.utf8.count > limits.textBytes ? nil : $0 }
        draft.title = item["title"] as? String ?? ""
        draft.picture = resolve(item["image"]) ?? resolve(item["banner_image"])
        draft.page = resolve(item["url"]) ?? resolve(item["external_url"])
        if let date = item["date_published"] as? String { draft.add(date: date, .published) }
        if let date = item["date_modified"] as? String { draft.add(date: date, .changed) }
        for attachment in item["attachments"] as? [Any] ?? [] {
            guard let attachment = attachment as? [String: Any],
                let media = resolve(attachment["url"])
            else { continue }
            let type = attachment["mime_type"] as? String
            draft.add(media, rank: FeedMedia.rank(ofEnclosure: type, at: media))
        }
        return draft
    }
}
