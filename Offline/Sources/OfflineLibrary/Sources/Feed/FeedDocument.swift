// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A feed: a list of entries, of which the newest are kept.
package struct FeedDocument: Hashable, Sendable {
    /// The title as a single line; empty without one.
    package var title: String
    /// The entries with an address, the newest first; no two have the same identity.
    package var entries: [FeedEntry]
    /// The time between two checks that the feed asks for; nil if it names none.
    package var period: Duration?
    /// Whether it is a playlist, whose first entries count as the newest ones.
    package var isPlaylist = false

    /// The number of entries without media.
    package var withoutMedia: Int { entries.count { $0.media == nil } }

    /// Creates a document from the entries in the order of the text.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - drafts: The entries.
    ///   - picture: The picture of entries without one.
    ///   - period: The time between two checks.
    ///   - now: The time in seconds since 1970; later dates are wrong.
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
        // Stable, so that entries of one time keep their order.
        entries = entries.enumerated().sorted {
            ($1.element.published, $0.offset) < ($0.element.published, $1.offset)
        }.map(\.element)
    }

    /// Returns the time of each entry: without a valid one, that of its neighbor.
    ///
    /// A date in the future would keep its entry at the top for years. Without any date the first
    /// entry is the newest, as in nearly all feeds; all of them are newer than those of an earlier
    /// document.
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
