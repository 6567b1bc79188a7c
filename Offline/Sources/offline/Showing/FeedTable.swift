// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import OfflineModel
import TidingsHTTP

/// The text of `offline following`.
enum FeedTable {
    static func text(_ feeds: [FeedRepresentation]) -> String {
        guard !feeds.isEmpty else { return "No feed is followed. Try: offline follow https://…" }
        return feeds.map { feed in
            var lines = [
                "\(feed.id)  \(Terminal.clean(feed.title))",
                "   \(address(feed)) · keeps the newest \(feed.keep)\(pages(feed)) · "
                    + "\(feed.items.count) in the library",
                "   " + times(feed),
            ]
            if let error = feed.error { lines.append("   " + Terminal.clean(error.message)) }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Returns the result of `offline follow`.
    static func summary(_ feed: FeedRepresentation) -> String {
        let entries = feed.entries == 1 ? "1 entry" : "\(feed.entries) entries"
        var text =
            "Feed \(feed.id) “\(Terminal.clean(feed.title))” is followed: \(entries); the library "
            + "keeps the newest \(feed.keep)."
        if feed.withoutMedia > 0, !feed.pages {
            let others = feed.withoutMedia == 1 ? "1 has" : "\(feed.withoutMedia) have"
            text += " \(others) no media; --pages keeps those of the linked pages."
        }
        return text
    }

    private static func pages(_ feed: FeedRepresentation) -> String {
        feed.pages ? ", pages too" : ""
    }

    /// Returns the feed's address without the query, which may contain a secret of the user.
    private static func address(_ feed: FeedRepresentation) -> String {
        Terminal.clean((try? WebAddress(feed.address))?.redacted ?? feed.address)
    }

    private static func times(_ feed: FeedRepresentation) -> String {
        let checked = feed.checkedAt.map { "checked \(time($0))" } ?? "not checked yet"
        let next = feed.nextCheckAt.map { "next check \(time($0))" } ?? "ended, not checked again"
        return "\(checked) · \(next)"
    }

    private static func time(_ date: Date) -> String {
        date.formatted(date: .abbreviated, time: .shortened)
    }
}
