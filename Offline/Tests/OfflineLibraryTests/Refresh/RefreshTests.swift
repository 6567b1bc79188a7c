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
struct RefreshTests {
    /// Returns a library with three small files.
    private func makeTest() async throws -> (TestLibrary, [MediaItem]) {
        let test = try TestLibrary()
        var items: [MediaItem] = []
        for name in ["a", "b", "c"] {
            try await test.origin.serve(["/\(name).txt": ["text": .text("text \(name)")]])
            items.append(try await test.get("/\(name).txt"))
        }
        return (test, items)
    }

    @Test func o10_anItemWithoutAFileIsMarkedAsMissingAndNotDeleted() async throws {
        let (test, items) = try await makeTest()
        let path = try #require(test.library.path(of: items[0]))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        let report = try await test.library.refresh()
        #expect(report.missing.map(\.id) == [items[0].id])
        #expect(try test.library.item(items[0].id).state == .missing)
        #expect(try test.library.item(items[1].id).state == .ready)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        let second = try await test.library.refresh()
        #expect(second.returned.map(\.id) == [items[0].id])
        #expect(try test.library.item(items[0].id).state == .ready)
        await test.library.stop()
    }

    @Test func o10_missingItemsAreRemovedOnRequest() async throws {
        let (test, items) = try await makeTest()
        try SystemFile.remove(try #require(test.library.path(of: items[0])))
        let report = try await test.library.refresh(RefreshOptions(removeMissing: true))
        #expect(report.removed.map(\.id) == [items[0].id])
        #expect(throws: LibraryError.self) { try test.library.item(items[0].id) }
        await test.library.stop()
    }

    @Test func o10_markingMoreThanHalfRequiresAConfirmation() async throws {
        let (test, items) = try await makeTest()
        for item in items.prefix(2) {
            try SystemFile.remove(try #require(test.library.path(of: item)))
        }
        let options = RefreshOptions(removeMissing: true)
        let report = try await test.library.refresh(options)
        #expect(report.needsConfirmation)
        #expect(report.removed.isEmpty)
        #expect(try test.library.item(items[0].id).state == .ready)
        let confirmed = try await test.library.refresh(RefreshOptions(isConfirmed: true))
        #expect(confirmed.missing.count == 2)
        #expect(try test.library.item(items[0].id).state == .missing)
        await test.library.stop()
    }

    @Test func o10_filesWithoutAnItemAreRestoredByImport() async throws {
        let (test, items) = try await makeTest()
        let bytes = try test.bytes(of: items[0])
        try await test.library.remove(items[0].id, withFile: false)
        let seen = try await test.library.refresh()
        #expect(seen.orphans.map(\.name) == ["a.txt"])
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        let id = try #require(report.imported.first?.id)
        let item = try test.library.item(id)
        #expect(item.state == .ready)
        #expect(try test.bytes(of: item) == bytes)
        #expect(try await test.library.refresh().orphans.isEmpty)
        await test.library.stop()
    }

    @Test func o11_anImportNeverReplacesAnotherFile() async throws {
        let test = try TestLibrary()
        let media = test.library.directory.media
        for name in ["1", "10", "2"] {
            let path = "\(media)/\(name).txt"
            try "text \(name)".write(toFile: path, atomically: true, encoding: .utf8)
        }
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(report.imported.map(\.title) == ["1", "10", "2"])
        for entry in report.imported {
            let bytes = try test.bytes(of: try test.library.item(entry.id))
            #expect(String(decoding: bytes, as: UTF8.self) == "text \(entry.title)")
        }
        await test.library.stop()
    }

    /// The library once imported each of these files as ready.
    @Test(
        arguments: [
            ("film.mp4", "", "is empty"), ("notes.txt", "", "is empty"),
            ("film.mp4", "ftyp", "not playable media"), ("song.MP3", "text", "not playable media"),
            ("song.opus", "text", "not playable media"),
        ]
    )
    func o4_aFileThatIsNotWhatItsNameSaysIsNotImported(
        name: String,
        text: String,
        problem: String
    ) async throws {
        let test = try TestLibrary()
        let path = test.library.directory.mediaFile(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(report.imported.isEmpty && report.orphans.map(\.name) == [name])
        #expect(report.problems.first?.contains(problem) == true)
        #expect(SystemFile.size(of: path) == Int64(text.utf8.count))
        await test.library.stop()
    }

    /// The first bytes belong to no known kind, but the file is a film.
    @Test func aFilmWithAnUnusualBeginningIsImported() async throws {
        let test = try TestLibrary()
        try SampleMedia.makeFile("whole.mp4", in: test.folder.path)
        let whole = try Data(contentsOf: URL(filePath: test.folder.path + "/whole.mp4"))
        let path = test.library.directory.mediaFile("film.m4v")
        try (Data([0, 0, 0, 8]) + Data("free".utf8) + whole).write(to: URL(filePath: path))
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(report.problems.isEmpty)
        let item = try test.library.item(try #require(report.imported.first?.id))
        #expect(item.state == .ready && item.mediaType == "video/mp4" && item.width == 160)
        await test.library.stop()
    }

    @Test func aFailedImportLeavesNoItem() async throws {
        let test = try TestLibrary()
        let path = test.library.directory.mediaFile("film.txt")
        try "text".write(toFile: path, atomically: true, encoding: .utf8)
        let failure = try WriteFailure(test.library.directory)
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        try failure.end()
        #expect(report.problems.count == 1)
        #expect(report.orphans.map(\.name) == ["film.txt"])
        #expect(try test.library.journal.items.items().isEmpty)
        await test.library.stop()
    }

    @Test func o10_aFileOfAnotherSizeIsMissing() async throws {
        let (test, items) = try await makeTest()
        let path = try #require(test.library.path(of: items[0]))
        try "longer than before".write(toFile: path, atomically: true, encoding: .utf8)
        let report = try await test.library.refresh()
        #expect(report.missing.map(\.id) == [items[0].id])
        #expect(report.problems.count == 1)
        await test.library.stop()
    }

    @Test func o10_skipsFoldersAndLinks() async throws {
        let (test, _) = try await makeTest()
        let media = test.library.directory.media
        try FileManager.default.createDirectory(
            atPath: media + "/folder",
            withIntermediateDirectories: false
        )
        try Data().write(to: URL(filePath: media + "/.nomedia"))
        try FileManager.default.createSymbolicLink(
            atPath: media + "/link.mp4",
            withDestinationPath: "/etc/passwd"
        )
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(report.problems == ["link.mp4 is not a regular file."])
        #expect(report.imported.isEmpty && report.failures == 1)
        #expect(try await test.library.refresh().failures == 0)
        #expect(report.checked == 3)
        await test.library.stop()
    }
}
