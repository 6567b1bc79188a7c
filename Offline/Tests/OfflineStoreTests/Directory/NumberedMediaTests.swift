// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct NumberedMediaTests {
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory
    private let registry: Registry

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(media: folder.path + "/films", data: folder.path + "/data")
        try directory.create()
        try SystemFile.makeFolder(directory.numberedMedia)
        registry = try Registry(path: directory.registry)
    }

    /// Adds an item in the form of an earlier version.
    private func add(_ title: String, fileExtension: String = "mp4") throws -> ItemID {
        let request = DownloadRequest(.imported(title))
        let item = try registry.insert(request, state: .ready, title: title, at: Date())
        let name = "\(item.id).\(fileExtension)"
        _ = try registry.update(
            item.id,
            nil,
            with: [.file(name: name, size: Int64(title.utf8.count))]
        )
        try write(title, to: "\(directory.numberedMedia)/\(name)")
        let connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try connection.execute("UPDATE items SET numbered_name = file_name")
        connection.close()
        return item.id
    }

    private func write(_ text: String, to path: String) throws {
        try SystemFile.create(path, content: Data(text.utf8))
    }

    private func move() -> Int { NumberedMedia(directory, registry).move() }

    private func content(_ id: ItemID) throws -> String? {
        let name = try #require(try registry.items.item(id)?.fileName)
        return SystemFile.read(directory.mediaFile(name), limit: 99)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func o21_filesGetTheTitlesOfTheirItems() throws {
        let ids = [try add("A film"), try add("a FILM", fileExtension: "webm"), try add("B/C")]
        let text = try add("A film", fileExtension: "txt")
        try write("words", to: "\(directory.numberedMedia)/1.en.vtt")
        try write("other", to: "\(directory.numberedMedia)/other.txt")
        #expect(move() == 4)
        #expect(
            SystemFile.names(in: directory.media)
                == [
                    "A film.en.vtt", "A film.mp4", "A film.txt", "B-C.mp4", "a FILM (2).webm",
                    "other.txt",
                ]
        )
        #expect(!SystemFile.exists(directory.numberedMedia))
        #expect(try (ids + [text]).map(content) == ["A film", "a FILM", "B/C", "A film"])
        #expect(move() == 0)
    }

    @Test func aFileOfThePersonStays() throws {
        try write("mine", to: directory.mediaFile("A film.mp4"))
        let id = try add("A film")
        #expect(move() == 1)
        #expect(try content(id) == "A film")
        #expect(SystemFile.names(in: directory.media) == ["A film (2).mp4", "A film.mp4"])
    }

    /// The kill comes after the new name was recorded, after the file had both names, or after the
    /// move.
    @Test(arguments: 0...2)
    func o21_aKilledMoveIsContinued(links: Int) throws {
        let id = try add("A film")
        let old = "\(directory.numberedMedia)/1.mp4"
        let name = MediaFileName(title: "A film", of: id, extension: "mp4")
        _ = try registry.update(id, nil, with: [.newFile(name, in: directory, size: 6)])
        if links > 0 { #expect(link(old, directory.mediaFile("A film.mp4")) == 0) }
        if links > 1 { try SystemFile.remove(old) }
        try write("words", to: "\(directory.numberedMedia)/1.en.vtt")
        _ = move()
        #expect(SystemFile.names(in: directory.media) == ["A film.en.vtt", "A film.mp4"])
        #expect(!SystemFile.exists(old))
        #expect(try content(id) == "A film")
        #expect(try registry.items.numberedFiles().isEmpty)
    }

    @Test func aFileThatCannotBeMovedStays() throws {
        let id = try add("A film")
        #expect(chmod(directory.media, 0o500) == 0)
        defer { chmod(directory.media, 0o700) }
        guard access(directory.media, W_OK) != 0 else { return }
        #expect(move() == 0)
        #expect(SystemFile.names(in: directory.numberedMedia) == ["\(id).mp4"])
    }

    @Test func aMissingFileIsNotAwaited() throws {
        let id = try add("A film")
        try SystemFile.remove("\(directory.numberedMedia)/\(id).mp4")
        #expect(move() == 0)
        #expect(try registry.items.numberedFiles().isEmpty)
    }

    @Test func aStoredNameLeadsNowhereElse() throws {
        _ = try add("A film")
        let connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try connection.execute("UPDATE items SET numbered_name = '../registry.sqlite'")
        connection.close()
        #expect(move() == 0)
        #expect(SystemFile.exists(directory.registry))
    }
}
