// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FeedSelectionTests {
    private func document(_ entries: [(guid: String?, path: String)]) throws -> FeedDocument {
        let drafts = try entries.map { entry in
            var draft = FeedDraft()
            draft.guid = entry.guid
            draft.add(try WebAddress("https://a.example/" + entry.path), rank: 1)
            return draft
        }
        return FeedDocument(title: "", drafts, period: nil, now: 1_000)
    }

    private func select(
        _ entries: [(guid: String?, path: String)],
        seen: Set<String> = [],
        keep: Int = 2
    ) throws -> [String] {
        let selection = FeedSelection(
            try document(entries),
            seen: seen,
            keep: keep,
            keepsPages: false
        )
        return selection.choices.filter(\.isWanted).map(\.address.lastPathComponent)
    }

    @Test func o26_theNewestAreWantedAndTheOthersRemembered() throws {
        let entries = (1...5).map { (guid: "\($0)" as String?, path: "\($0).mp3") }
        #expect(try select(entries) == ["1.mp3", "2.mp3"])
        let all = FeedSelection(try document(entries), seen: [], keep: 2, keepsPages: false)
        #expect(all.choices.count == 5)
    }

    @Test func o26_anotherAddressOfAKnownEntryIsNotNew() throws {
        #expect(try select([("1", "moved.mp3")], seen: ["guid:1"]).isEmpty)
    }

    @Test func o26_anotherIdentityOfAKnownAddressIsNotNew() throws {
        let seen: Set = ["at:a.example:443/1.mp3"]
        #expect(try select([("new", "1.mp3?token=2")], seen: seen).isEmpty)
        #expect(try select([("1", "1.mp3"), ("2", "1.mp3")]) == ["1.mp3"])
    }

    @Test func o26_oldEntriesThatAppearLaterAreOnlyRemembered() throws {
        let entries: [(guid: String?, path: String)] = [
            ("new", "n.mp3"), ("a", "a.mp3"), ("old", "o.mp3"),
        ]
        #expect(try select(entries, seen: ["guid:a"]) == ["n.mp3"])
    }

    private func item(
        _ id: Int64,
        _ published: Double,
        kept: Bool = false,
        ready: Bool = true
    )
        -> FeedItem
    {
        FeedItem(
            id: ItemID(rawValue: id),
            title: "",
            published: published,
            isKept: kept,
            isReady: ready
        )
    }

    @Test func o26_onlyTheOldestReadyItemsExpire() {
        let items = [item(1, 10), item(2, 40), item(3, 30), item(4, 20)]
        #expect(FeedRetention.expired(items, keep: 2).map(\.rawValue) == [4, 1])
        #expect(FeedRetention.expired(items, keep: 4).isEmpty)
    }

    @Test func o26_anItemThatThePersonKeepsNeverExpires() {
        let items = [item(1, 10, kept: true), item(2, 40), item(3, 30), item(4, 20)]
        #expect(FeedRetention.expired(items, keep: 2).map(\.rawValue) == [4])
    }

    @Test func o26_anItemThatIsNotReadyTakesNoPlace() {
        let items = [item(1, 10), item(2, 40, ready: false), item(3, 30), item(4, 5, ready: false)]
        #expect(FeedRetention.expired(items, keep: 2).isEmpty)
    }

    @Test(arguments: [
        ("id=12", "id=13"), ("p=123", "p=124"), ("token=abc", "token=def"),
        ("id=6f9619ff8b86d011b42d00cf4fc964ff", "id=6f9619ff8b86d011b42d00cf4fc964fe"),
        ("t=one", "t=two"), ("hash=1f", "hash=2f"), ("session=1&expires=1790000000", "session=2"),
    ])
    func o26_aQueryThatNamesTheEntryIsAPartOfIt(first: String, second: String) throws {
        for (one, two) in [("", ""), ("<guid>1</guid>", "<guid>2</guid>")] {
            let items = [(one, first), (two, second)].map { guid, query in
                let query = query.replacing("&", with: "&amp;")
                return "<item>\(guid)<enclosure url='get?\(query)' type='audio/mpeg'/></item>"
            }
            let text = "<rss version='2.0'><channel>\(items.joined())</channel></rss>"
            let feed = try FeedParser.parse(
                Array(text.utf8),
                at: WebAddress("https://pod.example/feeds/all.xml")
            )
            let selection = FeedSelection(feed, seen: [], keep: 10, keepsPages: false)
            #expect(selection.choices.map(\.address.query) == [first, second])
        }
    }
}
