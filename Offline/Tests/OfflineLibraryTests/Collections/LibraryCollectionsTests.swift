// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsSQLite
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
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
        try library.makeCollection(try CollectionName(name), items)
    }

    private var items: [ItemID] { get throws { try library.collections()[0].items } }

    @Test func o32_aCollectionKeepsTheOrderOfThePersonAndEachItemOnce() throws {
        let made = try make("Train", ids[2], ids[0], ids[2])
        #expect(made.items == [ids[2], ids[0]])
        try library.change(made.id, items: .add([ids[0], ids[1], ids[1]]))
        #expect(try items == [ids[2], ids[0], ids[1]])
        try library.change(made.id, items: .replace([ids[1], ids[2], ids[1], ids[0]]))
        #expect(try items == [ids[1], ids[2], ids[0]])
        try library.change(made.id, items: .remove([ids[2], ItemID(rawValue: 99)]))
        #expect(try items == [ids[1], ids[0]])
        try library.change(made.id, items: .add([ids[2]]))
        #expect(try items == [ids[1], ids[0], ids[2]])
    }

    @Test func o32_theListIsInTheOrderOfTheNamesInAnyCase() throws {
        for name in ["b", "C", "A"] { _ = try make(name) }
        #expect(try library.collections().map(\.name) == ["A", "b", "C"])
    }

    @Test func o32_aNameOfAnotherCollectionIsRefusedAndNothingChanges() throws {
        let train = try make("Train", ids[0])
        let other = try make("Other")
        let error = #expect(throws: LibraryError.self) { _ = try make(" TRAIN ") }
        #expect(error?.code == .collectionExists)
        let name = try CollectionName("train")
        #expect(throws: LibraryError.self) {
            try library.change(other.id, name: name, items: .add(ids))
        }
        #expect(try library.collections().map(\.items) == [[], [ids[0]]])
        // Its own name in another case is free.
        #expect(try library.change(train.id, name: name).name == "train")
    }

    @Test func o32_anUnknownItemIsRefusedAndNothingChanges() throws {
        let missing = ItemID(rawValue: 99)
        let error = #expect(throws: LibraryError.self) { _ = try make("A", ids[0], missing) }
        #expect(error?.code == .notFound)
        #expect(try library.collections().isEmpty)
        let made = try make("A", ids[0])
        for change in [CollectionItems.add([ids[1], missing]), .replace([missing])] {
            #expect(throws: LibraryError.self) {
                try library.change(made.id, name: try CollectionName("B"), items: change)
            }
        }
        #expect(try library.collections() == [made])
    }

    @Test func o32_aRemovedItemLeavesItsCollectionsAndPostsThat() async throws {
        let made = try make("A", ids[0], ids[1], ids[2])
        let recorder = MessageRecorder(CollectionsChanged.self, on: library.messages)
        try await library.remove(ids[1], withFile: true)
        #expect(try items == [ids[0], ids[2]])
        #expect(recorder.messages.count == 1)
        try library.removeCollection(made.id)
        #expect(recorder.messages.count == 2)
        #expect(try library.journal.registry.items().map(\.id) == [ids[2], ids[0]])
        try await library.remove(ids[0], withFile: true)
        #expect(recorder.messages.count == 2)
        let error = #expect(throws: LibraryError.self) { try library.removeCollection(made.id) }
        #expect(error?.code == .notFound)
    }

    @Test func aChangePostsOnceAndAnEqualOneNothing() throws {
        let recorder = MessageRecorder(CollectionsChanged.self, on: library.messages)
        let made = try make("A", ids[0])
        try library.change(made.id, name: try CollectionName("A"), items: .add([ids[0]]))
        try library.change(made.id, items: .remove([ids[1]]))
        #expect(recorder.messages.count == 1)
        try library.change(made.id, items: .add([ids[1]]))
        #expect(recorder.messages.count == 2)
    }

    @Test func o32_manyThreadsChangeOneCollectionAndNothingIsLost() async throws {
        let made = try make("A")
        let added = try (0..<40).map { try filled.add("x\($0).mp4").id }
        try await withThrowingTaskGroup { group in
            for id in added {
                group.addTask { [library] in
                    try library.change(made.id, items: .add([id]))
                    try library.change(made.id, name: try CollectionName("N\(id)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try items.count == 40)
        #expect(try Set(items) == Set(added))
    }

    @Test func o32_aNumberIsNeverUsedAgain() throws {
        let first = try make("A")
        try library.removeCollection(first.id)
        #expect(try make("A").id != first.id)
    }

    @Test(arguments: ["", "mp4"])
    func o32_aPageOfACollectionIsInItsOrderAndHasItsItemsAlone(_ words: String) throws {
        let made = try make("A", ids[1], ids[2], ids[0])
        _ = try make("B", ids[0], ids[1])
        _ = try filled.add("d.mp4")
        let registry = library.journal.registry
        var query = ItemQuery(
            states: [.ready],
            words: try SearchWords(words),
            collection: made.id,
            count: 2
        )
        #expect(try registry.page(query).items.map(\.id) == [ids[2], ids[1]])
        query.order = .collection
        var page = try registry.page(query)
        #expect(page.items.map(\.id) == [ids[1], ids[2]])
        #expect(page.total == 3)
        query.after = page.next
        page = try registry.page(query)
        #expect(page.items.map(\.id) == [ids[0]])
        #expect(page.next == nil)
        query.collection = CollectionID(rawValue: 99)
        #expect(try registry.page(query).total == 0)
    }
}
