// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// A feed, which is a list of entries.
///
/// The library keeps the newest entries.
package struct FeedDocument: Hashable, Sendable {
    /// The title as a single line, or an empty string without a title.
    package var title: String
    /// The entries with an address, the newest first.
    ///
    /// No two entries have the same identity.
    package var entries: [FeedEntry]
    /// The time between two checks that the feed asks for, or nil if the feed does not name a time.
    package var period: Duration?
    /// Whether the document is a playlist, whose first entries count as the newest.
    package var isPlaylist = false

    /// The number of entries without media.
    package var withoutMedia: Int { entries.count { $0.media == nil } }

    /// Creates a document from the entries in the order of the file.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - drafts: The entries.
    ///   - picture: The picture of entries without one.
    ///   - period: The time between two checks.
    ///   - now: The time in seconds since 1970. Later dates are wrong.
    init(
        title: String,
        _ drafts: [FeedDraft],
        picture: WebAddress? = nil,
        period: Duration?,
        now: Double
    ) {
        self.title = Title(line: FeedText.plain(title), fallback: "").text
        self.period = period
        let dates = Self.dates(of: drafts, now: now)
        let keys = FeedKeys(drafts.lazy.compactMap(\.address))
        let ambiguous = Self.ambiguousIdentifiers(drafts, keys)
        var known: Set<String> = []
        entries = []
        for (draft, date) in zip(drafts, dates) {
            guard let address = draft.address else { continue }
            let guid = draft.guid.flatMap {
                ambiguous.contains($0) ? nil : FeedName.short("guid:" + $0)
            }
            let key = keys.key(of: address)
            let identity = guid ?? key
            guard known.insert(identity).inserted else { continue }
            let fallback = Title(origin: .address(address)).text
            entries.append(
                FeedEntry(
                    identity: identity,
                    key: key,
                    title: Title(line: draft.title, fallback: fallback).text,
                    media: draft.media,
                    page: draft.page,
                    picture: draft.picture ?? picture,
                    published: date
                )
            )
        }
        // This order is stable, so that entries with the same time keep their order.
        entries = entries.enumerated().sorted {
            ($1.element.published, $0.offset) < ($0.element.published, $1.offset)
        }.map(\.element)
    }

    /// Returns the time of each entry.
    ///
    /// An entry without a valid date gets the date of a neighbor.
    ///
    /// A date in the future would keep an entry at the top for years, so such a date is not valid.
    /// Without any date, the first entry counts as the newest, as in nearly all feeds, and all
    /// entries count as newer than the entries of an earlier document.
    private static func dates(of drafts: [FeedDraft], now: Double) -> [Double] {
        let valid = drafts.map { draft in draft.date.flatMap { $0 <= now + 86_400 ? $0 : nil } }
        guard let first = valid.lazy.compactMap(\.self).first else {
            return drafts.indices.map { now - Double($0) * 1e-5 }
        }
        var last = first
        return valid.map { date in
            last = date ?? last
            return last
        }
    }

    /// Returns the identifiers that entries with different media share.
    private static func ambiguousIdentifiers(
        _ drafts: [FeedDraft],
        _ keys: FeedKeys
    ) -> Set<String> {
        var known: [String: String] = [:]
        var ambiguous: Set<String> = []
        for draft in drafts {
            guard let guid = draft.guid, let address = draft.address else { continue }
            let key = keys.key(of: address)
            if known.updateValue(key, forKey: guid).map({ $0 != key }) == true {
                ambiguous.insert(guid)
            }
        }
        return ambiguous
    }
}
