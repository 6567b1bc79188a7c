// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineModel
@testable import OfflineStore

/// Tests that a feed recognizes an entry by any of several names, and remembers few entries.
@Suite(.timeLimit(.minutes(15)))
struct FeedMemoryTests {
    private let test: FollowedLibrary

    init() throws {
        test = try FollowedLibrary()
    }

    @Test func o26_anIdentifierAndAnAddressThatChangeInTurnMakeNoSecondDownload() throws {
        let feed = try test.follow()
        #expect(try test.check(feed, [.init(guid: "a", path: "1")]).count == 1)
        #expect(try test.check(feed, [.init(guid: "a", path: "2")]).isEmpty)
        #expect(try test.check(feed, [.init(guid: "b", path: "2")]).isEmpty)
        #expect(try test.check(feed, [.init(guid: "b", path: "3")]).isEmpty)
        #expect(try test.check(feed, [.init(guid: "a", path: "4")]).isEmpty)
        #expect(try test.check(feed, [.init(guid: "c", path: "5")]).count == 1)
    }

    @Test func o26_longNamesTakeLittleMemory() throws {
        let feed = try test.follow()
        let long = String(repeating: "x", count: 4_000)
        try test.check(feed, [.init(guid: long, path: long), .init(guid: nil, path: long + "y")])
        let names = try test.registry.feeds.seenEntries(of: feed.id)
        #expect(names.count == 3)
        #expect(names.allSatisfy { $0.utf8.count <= 71 })
        let again = [FollowedLibrary.Entry(guid: long, path: "other"), .init(path: long + "y")]
        #expect(try test.check(feed, again).isEmpty)
    }

    @Test func o26_theOldestEntriesThatTheDocumentNoLongerNamesAreForgotten() throws {
        let feed = try test.follow(keep: 1)
        func entries(_ numbers: [Int]) -> [FollowedLibrary.Entry] {
            numbers.map { .init(guid: "\($0)", path: "\($0)") }
        }
        // The item of entry 9 exists. Entry 1 is the oldest and stays in the document.
        try test.check(feed, entries([9, 4, 3, 2, 1]), memory: 5)
        try test.check(feed, entries([11, 10, 1]), memory: 5)
        let names = try test.registry.feeds.seenEntries(of: feed.id).filter {
            $0.hasPrefix("guid:")
        }
        #expect(names == ["guid:1", "guid:4", "guid:9", "guid:10", "guid:11"])
    }

    @Test func o26_noEntryOfTheDocumentIsForgotten() throws {
        let feed = try test.follow(keep: 1)
        let entries = (1...20).map { FollowedLibrary.Entry(guid: "\($0)", path: "\($0)") }
        try test.check(feed, entries, memory: 5)
        #expect(try test.check(feed, entries, memory: 5).isEmpty)
        #expect(try test.registry.feeds.seenEntries(of: feed.id).count == 40)
    }

    @Test func o26_anEntryHasOnlyItsLastNamesAndThoseInTheDocument() throws {
        let feed = try test.follow()
        for number in 1...20 {
            try test.check(feed, [.init(guid: "a", path: "\(number)")])
        }
        let names = try test.registry.feeds.seenEntries(of: feed.id)
        #expect(names.contains("guid:a"))
        #expect(names.contains("at:a.example:443/20"))
        #expect(names.count == 7)
        #expect(try test.registry.items.items().count == 1)
    }
}
