// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct CollectionTransferTests {
    private static let head =
        #"{"exportedAt":"2026-01-01T00:00:00Z","format":"offline-library","version":3}"#
    private static let item =
        #"{"address":"https://a.example/1","createdAt":"2026-01-01T00:00:00Z","quality":"best","#
        + #""state":"paused","title":"One"}"#

    private let source: FilledLibrary
    private let target: FilledLibrary

    init() throws {
        source = try FilledLibrary()
        target = try FilledLibrary()
    }

    private static func line(_ name: String, _ items: String) -> String {
        #"{"collection":"\#(name)","createdAt":"2026-01-01T00:00:00Z","items":\#(items)}"#
    }

    private static func text(_ lines: [String], stated: Int? = nil) -> String {
        ([head, item] + lines + [#"{"collections":\#(stated ?? lines.count),"items":1}"#])
            .joined(separator: "\n")
    }

    /// Returns the titles of the items of each collection, by the name of the collection.
    private func titles(_ filled: FilledLibrary) throws -> [String: [String]] {
        var titles: [String: [String]] = [:]
        for collection in try filled.library.collections.all() {
            titles[collection.name] = try collection.items.map { try filled.library.item($0).title }
        }
        return titles
    }

    @Test func o33_anExportCarriesCollectionsAndASecondImportChangesNothing() async throws {
        let ids = try ["a", "b", "c"].map { try source.add($0 + ".mp4").id }
        _ = try source.library.collections.make(try CollectionName("Train"), [ids[2], ids[0]])
        _ = try source.library.collections.make(try CollectionName("Empty"))
        // This item gives the imported items other numbers than in the source.
        try target.add("own.mp4")
        let recorder = MessageRecorder(CollectionsChanged.self, on: target.library.messages)
        let text = try source.export()
        let first = try await target.load(text)
        #expect((first.collections, first.knownCollections) == (2, 0))
        #expect(recorder.messages.count == 1)
        let expected = ["Train": ["c.mp4", "a.mp4"], "Empty": []]
        #expect(try titles(target) == expected)
        let second = try await target.load(text)
        #expect((second.collections, second.knownCollections) == (2, 2))
        #expect(try titles(target) == expected)
    }

    @Test func o33_anImportAddsToACollectionOfTheSameNameAtItsEnd() async throws {
        let ids = try ["a", "b"].map { try source.add($0 + ".mp4").id }
        _ = try source.library.collections.make(try CollectionName("TRAIN"), ids)
        let own = try target.add("own.mp4").id
        let known = try target.add("b.mp4").id
        _ = try target.library.collections.make(try CollectionName("Train"), [known, own])
        let report = try await target.load(try source.export())
        #expect((report.known, report.knownCollections) == (1, 1))
        #expect(try titles(target) == ["Train": ["b.mp4", "own.mp4", "a.mp4"]])
    }

    @Test func o33_aTextWithoutCollectionsIsOfTheEarlierVersion() async throws {
        try source.add("a.mp4")
        #expect(try source.export().contains(#""version":2"#))
        _ = try source.library.collections.make(try CollectionName("A"))
        #expect(try source.export().contains(#""version":3"#))
    }

    @Test func o33_aLongCollectionTakesSeveralLines() async throws {
        let count = LibraryDocument.membersOfLine * 2 + 1
        let items = (0..<count).map { number in
            Self.item.replacing("example/1", with: "example/\(number)")
        }
        let numbers = (1...count).reversed().map(String.init)
        let pieces = stride(from: 0, to: count, by: 7_000).map { start in
            Self.line(
                "Long",
                "[\(numbers[start..<min(start + 7_000, count)].joined(separator: ","))]"
            )
        }
        let end = #"{"collections":\#(pieces.count),"items":\#(count)}"#
        let text = ([Self.head] + items + pieces + [end]).joined(separator: "\n")
        _ = try await target.load(text)
        let stored = try target.library.collections.all()[0].items
        #expect(stored.count == count)
        let exported = try target.export()
        #expect(exported.components(separatedBy: #""collection":"#).count == 4)
        _ = try await source.load(exported)
        #expect(try source.library.collections.all()[0].items == stored)
    }

    @Test func o33_aMillionMembershipsOfOneItemAreOne() async throws {
        let line = Self.line("A", "[" + String(repeating: "1,", count: 499_000) + "1]")
        let report = try await target.load(Self.text([line, line, Self.line("a", "[1]")]))
        #expect(report.collections == 1)
        #expect(try titles(target) == ["A": ["One"]])
    }

    @Test(arguments: [
        line("A", "[2]"), line("A", "[0]"), line("A", "[-1]"), line("A", "[9223372036854775807]"),
        line("A", "[1e400]"), line("A", "[1.5]"), line("A", #"["1"]"#), line("A", "1"),
        line("A", "{}"), line("A", "null"), line("", "[1]"), line(#"a\u0000"#, "[1]"),
        line(String(repeating: "x", count: 900_000), "[1]"),
        line(String(repeating: "x", count: 2_000_000), "[1]"),
        #"{"collection":7,"createdAt":"2026-01-01T00:00:00Z","items":[1]}"#,
        #"{"collection":"A","items":[1]}"#, #"{"collection":"A","createdAt":"x","items":[1]}"#,
    ])
    func o33_aHostileLineIsRefusedAndNothingChanges(_ line: String) async throws {
        let error = await #expect(throws: LibraryError.self) {
            try await target.load(Self.text([Self.line("Good", "[1]"), line]))
        }
        #expect(error?.code == .invalidImport)
        #expect(error?.message.hasPrefix("Line 4 of the import: ") == true)
        #expect(try target.library.collections.all().isEmpty)
        #expect(try target.library.journal.items.items().isEmpty)
    }

    @Test func o33_aTextWithALostLineOrALateItemIsRefused() async throws {
        for text in [
            Self.text([Self.line("A", "[1]")], stated: 2), Self.text([], stated: -1),
            [
                Self.head, Self.item, Self.line("A", "[1]"), Self.item,
                #"{"collections":1,"items":2}"#,
            ].joined(separator: "\n"),
        ] {
            await #expect(throws: LibraryError.self) { try await target.load(text) }
        }
        #expect(try target.library.collections.all().isEmpty)
    }
}
