// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(5)))
struct CollectionsArgumentsTests {
    private func command(_ words: String...) throws -> Arguments.Command {
        try Arguments(words).command
    }

    @Test func readsTheCommandsOfCollections() throws {
        let name = try CollectionName("For the train")
        let ids = [ItemID(rawValue: 3), ItemID(rawValue: 1)]
        #expect(try command("collections") == .collections(.list(json: false)))
        #expect(try command("collections", "--json") == .collections(.list(json: true)))
        #expect(
            try command("collections", " For the train ") == .collections(.items(name, json: false))
        )
        #expect(
            try command("collections", "add", "For the train", "3", "1")
                == .collections(.add(name, ids))
        )
        #expect(
            try command("collections", "remove", "For the train", "3", "1")
                == .collections(.remove(name, ids))
        )
        let other = try CollectionName("B")
        #expect(
            try command("collections", "rename", "For the train", "B")
                == .collections(.rename(name, to: other))
        )
        #expect(try command("collections", "delete", "B") == .collections(.delete(other)))
        #expect(
            try command("list", "w", "--collection", "B")
                == .list(json: false, words: "w", collection: other)
        )
    }

    @Test(arguments: [
        ["collections", "add"], ["collections", "add", "A"], ["collections", "add", "A", "x"],
        ["collections", "remove", "A"], ["collections", "rename", "A"], ["collections", "delete"],
        ["collections", "A", "B"], ["collections", ""], ["collections", "delete", "A", "--json"],
        ["list", "--collection"], ["list", "--collection="], ["list", "--collection", "a\nb"],
    ])
    func refusesWrongArguments(words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(words) }
    }
}
