// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsSQLite
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LibraryCollectionsTests {
    private let filled: FilledLibrary
    private let ids: [ItemID]
    private var library: Library { filled.library }

    init() throws {
        let filled = try FilledLibrary()
        self.filled = filled
        ids = try ["a", "b", "c"].map { try filled.add($0 + ".mp4").id }
    }

    private func make(_ name: String, _ items: ItemID...) throws -> MediaCollection {
        try library.collections.make(try CollectionName(name), items)
    }

    private var items: [ItemID] { get throws { try library.collections.all()[0].items } }

    @Test func o33_aCollectionKeepsTheOrderOfThePersonAndEachItemOnce() throws {
        let made = try make("Train", ids[2], ids[0], ids[2])
        #expect(made.items == [ids[2], ids[0]])
        try library.collections.change(made.id, items: .add([ids[0], ids[1], ids[1]]))
        #expect(try items == [ids[2], ids[0], ids[1]])
        try library.collections.change(made.id, items: .replace([ids[1], ids[2], ids[1], ids[0]]))
        #expect(try items == [ids[1], ids[2], ids[0]])
        try library.collections.change(made.id, items: .remove([ids[2], ItemID(rawValue: 99)]))
        #expect(try items == [ids[1], ids[0]])
        try library.collections.change(made.id, items: .add([ids[2]]))
        #expect(try items == [ids[1], ids[0], ids[2]])
    }

    @Test func o33_theListIsInTheOrderOfTheNamesInAnyCase() throws {
        for name in ["b", "C", "A"] { _ = try make(name) }
        #expect(try library.collections.all().map(\.name) == ["A", "b", "C"])
    }

    @Test func o33_aNameOfAnotherCollectionIsRefusedAndNothingChanges() throws {
        let train = try make("Train", ids[0])
        let other = try make("Other")
        let error = #expect(throws: LibraryError.self) { _ = try make(" TRAIN ") }
        #expect(error?.code == .collectionExists)
        let name = try CollectionName("train")
        #expect(throws: LibraryError.self) {
            try library.collections.change(other.id, name: name, items: .add(ids))
        }
        #expect(try library.collections.all().map(\.items) == [[], [ids[0]]])
        // A collection can take its own name in another case.
        #expect(try library.collections.change(train.id, name: name).name == "train")
    }

    @Test func o33_anUnknownItemIsRefusedAndNothingChanges() throws {
        let missing = ItemID(rawValue: 99)
        let error = #expect(throws: LibraryError.self) { _ = try make("A", ids[0], missing) }
        #expect(error?.code == .notFound)
        #expect(try library.collections.all().isEmpty)
        let made = try make("A", ids[0])
        for change in [CollectionItems.add([ids[1], missing]), .replace([missing])] {
            #expect(throws: LibraryError.self) {
                try library.collections.change(
                    made.id,
                    name: try CollectionName("B"),
                    items: change
                )
            }
        }
        #expect(try library.collections.all() == [made])
    }

    @Test func o33_aRemovedItemLeavesItsCollectionsAndPostsThat() async throws {
        let made = try make("A", ids[0], ids[1], ids[2])
        let recorder = MessageRecorder(CollectionsChanged.self, on: library.messages)
        try await library.remove(ids[1], withFile: true)
        #expect(try items == [ids[0], ids[2]])
        #expect(recorder.messages.count == 1)
        try library.collections.remove(made.id)
        #expect(recorder.messages.count == 2)
        #expect(try library.journal.items.items().map(\.id) == [ids[2], ids[0]])
        try await library.remove(ids[0], withFile: true)
        #expect(recorder.messages.count == 2)
        let error = #expect(throws: LibraryError.self) { try library.collections.remove(made.id) }
        #expect(error?.code == .notFound)
    }

    @Test func aChangePostsOnceAndAnEqualOneNothing() throws {
        let recorder = MessageRecorder(CollectionsChanged.self, on: library.messages)
        let made = try make("A", ids[0])
        try library.collections.change(
            made.id,
            name: try CollectionName("A"),
            items: .add([ids[0]])
        )
        try library.collections.change(made.id, items: .remove([ids[1]]))
        #expect(recorder.messages.count == 1)
        try library.collections.change(made.id, items: .add([ids[1]]))
        #expect(recorder.messages.count == 2)
    }

    @Test func o33_manyThreadsChangeOneCollectionAndNothingIsLost() async throws {
        let made = try make("A")
        let added = try (0..<40).map { try filled.add("x\($0).mp4").id }
        try await withThrowingTaskGroup { group in
            for id in added {
                group.addTask { [library] in
                    try library.collections.change(made.id, items: .add([id]))
                    try library.collections.change(made.id, name: try CollectionName("N\(id)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try items.count == 40)
        #expect(try Set(items) == Set(added))
    }

    @Test func o33_aNumberIsNeverUsedAgain() throws {
        let first = try make("A")
        try library.collections.remove(first.id)
        #expect(try make("A").id != first.id)
    }

    @Test(arguments: ["", "mp4"])
    func o33_aPageOfACollectionIsInItsOrderAndHasItsItemsAlone(_ words: String) throws {
        let made = try make("A", ids[1], ids[2], ids[0])
        _ = try make("B", ids[0], ids[1])
        _ = try filled.add("d.mp4")
        let journal = library.journal
        var query = ItemQuery(
            states: [.ready],
            words: try SearchWords(words),
            collection: made.id,
            count: 2
        )
        #expect(try journal.items.page(query).items.map(\.id) == [ids[2], ids[1]])
        query.order = .collection
        var page = try journal.items.page(query)
        #expect(page.items.map(\.id) == [ids[1], ids[2]])
        #expect(page.total == 3)
        query.after = page.next
        page = try journal.items.page(query)
        #expect(page.items.map(\.id) == [ids[0]])
        #expect(page.next == nil)
        query.collection = CollectionID(rawValue: 99)
        #expect(try journal.items.page(query).total == 0)
    }
}
