// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsHTTP

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct ImportedPicturesTests {
    private let source: FilledLibrary
    private let target: FilledLibrary
    private let media: MediaFolder

    init() throws {
        source = try FilledLibrary()
        target = try FilledLibrary()
        media = try MediaFolder()
    }

    /// Imports a film and a text file, whose files are already in the target.
    private func load() async throws {
        let film = try await media.makeVideo("film.mp4")
        for filled in [source, target] {
            try FileManager.default.copyItem(atPath: film, toPath: filled.path("film.mp4"))
        }
        let size = try #require(SystemFile.size(of: film))
        try source.add("note.txt")
        try target.write("content", to: "note.txt")
        let request = DownloadRequest(try ItemOrigin(text: "https://media.example/film.mp4"))
        let journal = source.library.journal
        let item = try journal.insert(request, state: .ready, title: "film", at: Date())
        try journal.change(item.id, .file(name: "film.mp4", size: size))
        var text = Data()
        _ = try LibraryExport(source.library.directory).run { text.append($0) }
        let report = try await target.library.importItems(DocumentLines([UInt8](text)))
        #expect(report.ready == 2)
    }

    private func film() throws -> MediaItem {
        try #require(try target.library.journal.items.items().first { $0.title == "film" })
    }

    @Test func o29_anImportedFilmGetsItsPicture() async throws {
        try await load()
        #expect(try !film().hasPicture)
        target.library.importWork.start()
        await target.library.importWork.end()
        let item = try film()
        #expect(item.hasPicture)
        #expect(SystemFile.exists(target.library.directory.picture(of: item.id)))
        // Nothing is left to do, even after a restart.
        #expect(try target.library.journal.items.nextForPicture(before: nil) == nil)
    }

    @Test func o29_aKilledWorkContinuesAtTheNextStart() async throws {
        try await load()
        await target.library.importWork.stop()
        target.library.importWork.start()
        #expect(try !film().hasPicture)
        let next = ImportWork(target.library.journal, target.library.directory)
        next.start()
        await next.end()
        #expect(try film().hasPicture)
    }
}
