// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RenamedFilesTests {
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory
    private let registry: Registry

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(path: folder.path)
        try directory.create()
        registry = try Registry(path: directory.registry)
    }

    private var names: [String] {
        SystemFile.names(in: directory.media).filter { !$0.hasPrefix(".") }
    }

    private var files: RenamedFiles {
        RenamedFiles(directory: directory, items: registry.items) {
            [registry] in try registry.update($0, nil, with: $1)
        }
    }

    private func write(_ names: String...) throws {
        for name in names {
            try SystemFile.create(directory.mediaFile(name), content: Data(name.utf8))
        }
    }

    /// Adds the ready item of `Old.mp4` and records a new name as `Library.rename` does.
    private func begin(_ title: String = "New") throws -> ItemID {
        let request = DownloadRequest(.address(try WebAddress("https://a.example/f")))
        let item = try registry.insert(request, state: .ready, title: "Old", at: Date())
        let name = RenamedFiles.name(title, of: item.id, replacing: "Old.mp4")
        let changes: [ItemChange] = [
            .file(name: "Old.mp4", size: 7), .title(title),
            .rename(
                name,
                from: "Old.mp4",
                file: SystemFile.number(of: directory.mediaFile("Old.mp4")),
                in: directory
            ),
        ]
        _ = try registry.update(item.id, nil, with: changes)
        return item.id
    }

    /// The kill comes before the move, between the two names of the file, before or during the move
    /// of the subtitles, or before the end is recorded.
    @Test(arguments: 0..<5)
    func o1_aKillAtAnyMomentIsMadeGood(moment: Int) throws {
        try write("Old.mp4", "Old.en.vtt", "Old.srt", "Older.en.vtt")
        let id = try begin()
        #expect(try registry.items.item(id)?.fileName == "New.mp4")
        if moment > 0 {
            #expect(link(directory.mediaFile("Old.mp4"), directory.mediaFile("New.mp4")) == 0)
        }
        if moment > 1 { try SystemFile.remove(directory.mediaFile("Old.mp4")) }
        if moment > 2 {
            try SystemFile.rename(
                directory.mediaFile("Old.en.vtt"),
                to: directory.mediaFile("New.en.vtt")
            )
        }
        if moment > 3 {
            try SystemFile.rename(
                directory.mediaFile("Old.srt"),
                to: directory.mediaFile("New.srt")
            )
        }
        files.finish()
        #expect(names == ["New.en.vtt", "New.mp4", "New.srt", "Older.en.vtt"])
        #expect(SystemFile.read(directory.mediaFile("New.mp4"), limit: 9) == Data("Old.mp4".utf8))
        #expect(try registry.items.item(id)?.fileName == "New.mp4")
        #expect(try registry.items.renamedFiles().isEmpty)
    }

    @Test func o11_anotherProgramsFileIsNeverReplaced() throws {
        try write("Old.mp4")
        let id = try begin()
        try write("New.mp4")
        files.finish()
        #expect(names == ["New (2).mp4", "New.mp4"])
        #expect(try registry.items.item(id)?.fileName == "New (2).mp4")
        #expect(SystemFile.read(directory.mediaFile("New.mp4"), limit: 9) == Data("New.mp4".utf8))
    }

    @Test func o3_anotherFileWithTheFormerNameStaysAfterTheMove() throws {
        try write("Old.mp4")
        let id = try begin()
        try SystemFile.rename(directory.mediaFile("Old.mp4"), to: directory.mediaFile("New.mp4"))
        // The end of the move was not recorded, and then a user adds a file with the former name.
        try SystemFile.create(directory.mediaFile("Old.mp4"), content: Data("another".utf8))
        files.finish()
        #expect(names == ["New.mp4", "Old.mp4"])
        #expect(try registry.items.item(id)?.fileName == "New.mp4")
        let other = SystemFile.read(directory.mediaFile("Old.mp4"), limit: 9)
        #expect(other == Data("another".utf8))
    }

    @Test func o29_aFileThatKeepsItsNameKeepsItsChecksum() throws {
        try write("Old.mp4")
        let id = try begin()
        let item = try #require(try registry.items.item(id))
        let sum = String(repeating: "0", count: 64)
        try registry.files.record(checksum: sum, of: item)
        let kept = try registry.update(id, nil, with: [.notRenamed("Old.mp4")])
        #expect(kept?.fileName == "Old.mp4")
        #expect(try registry.items.row(of: id)?.marks.sha256 == sum)
        #expect(try registry.items.renamedFiles().isEmpty)
    }

    @Test func aMissingFileEndsTheRenaming() throws {
        let id = try begin()
        files.finish()
        #expect(names.isEmpty)
        #expect(try registry.items.renamedFiles().isEmpty)
        #expect(try registry.items.item(id)?.fileName == "New.mp4")
    }

    @Test func subtitlesThatMayBelongToAnotherFilmStay() throws {
        try write("Old.mp4", "Old.mkv", "Old.en.vtt")
        _ = try begin()
        files.finish()
        #expect(names == ["New.mp4", "Old.en.vtt", "Old.mkv"])
    }

    @Test(arguments: [
        ("Old.mp4", true), ("Old (2).mp4", true), ("Old (2) (3).mp4", false), ("Old.mkv", false),
        ("Olds.mp4", false), (".mp4", false), ("Old (x).mp4", false),
    ])
    func aNameThatFitsTheTitleIsKept(_ name: String, _ fits: Bool) {
        let wanted = RenamedFiles.name("Old", of: ItemID(rawValue: 1), replacing: "a.mp4")
        #expect(wanted.includes(name) == fits)
    }
}
