// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct TextSearchTests {
    private func found(_ text: String, in test: TestLibrary) throws -> [String] {
        let query = ItemQuery(words: try SearchWords(text))
        return try test.library.journal.items.page(query).items.map(\.title)
    }

    @Test func theWordsOfATextFileAreFoundUntilItIsRemoved() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/a.txt": ["text": "Das Zèbra\nläuft.\n"]])
        let item = try await test.get("/a.txt")
        #expect(try found("zebra LAUFT", in: test) == ["a"])
        // One word is in the title and one in the content. The search does not combine the two.
        #expect(try found("zebras", in: test).isEmpty)
        try await test.library.remove(item.id, withFile: true)
        #expect(try found("zebra", in: test).isEmpty)
        await test.library.stop()
    }

    @Test func theWordsOfSubtitlesAreFoundWithoutTheirTags() async throws {
        let test = try TestLibrary()
        let media = test.library.directory.media
        try SampleMedia.makeFile("film.mp4", in: media)
        let text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<b>Lantern</b> &amp; fog\n"
        try Data(text.utf8).write(to: URL(filePath: media + "/film.en.vtt"))
        _ = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(try found("lantern fog", in: test) == ["film"])
        #expect(try found("webvtt", in: test).isEmpty)
        // No other word of the item starts with this letter, not even a word of the address.
        #expect(try found("b", in: test).isEmpty)
        await test.library.stop()
    }

    @Test func onlyTheBeginningOfALongTextIsKept() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path)
        try directory.create()
        let text = String(repeating: "ß", count: 100_000)
        try Data(text.utf8).write(to: URL(filePath: directory.mediaFile("a.txt")))
        #expect(directory.text(of: "a.txt", .text).utf8.count == 64 << 10)
        #expect(directory.text(of: "none.txt", .text).isEmpty)
    }
}
