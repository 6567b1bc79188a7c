// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct SubtitleFilesTests {
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory
    private let id = ItemID(rawValue: 12)

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(path: folder.path)
        try directory.create()
        try SystemFile.makeFolder(directory.work(of: id))
        try SystemFile.makeFolder(directory.subtitles(of: id))
    }

    private func write(_ names: String..., in folder: String) throws {
        for name in names { try SystemFile.create("\(folder)/\(name)", content: Data(name.utf8)) }
    }

    private var names: [String] {
        SystemFile.names(in: directory.media).filter { !$0.hasPrefix(".") }
    }

    @Test func subtitlesGetTheNameOfTheirFilm() throws {
        try write("en.vtt", "en.2.vtt", "x", in: directory.subtitles(of: id))
        try directory.publishSubtitles(of: id, beside: "12-2.mp4")
        #expect(names == ["12-2.en.2.vtt", "12-2.en.vtt"])
    }

    @Test func filesOfThePersonAreNotReplaced() throws {
        try write("en.vtt", in: directory.subtitles(of: id))
        try write("12.en.vtt", in: directory.media)
        try directory.publishSubtitles(of: id, beside: "12.mp4")
        #expect(names == ["12.en.2.vtt", "12.en.vtt"])
        #expect(
            SystemFile.read(directory.mediaFile("12.en.vtt"), limit: 99) == Data("12.en.vtt".utf8)
        )
    }

    @Test func subtitlesAreMovedAndRemovedWithTheirFilm() throws {
        let earlier = ["12.en.vtt", "12.de.2.vtt", "12.txt", "12-2.en.vtt"]
        let folder = directory.numberedMedia
        try SystemFile.makeFolder(folder)
        for name in earlier { try write(name, in: folder) }
        try directory.moveSubtitles(of: "12.mp4", in: folder, earlier, beside: "A film.mp4")
        #expect(names == ["A film.de.vtt", "A film.en.vtt"])
        #expect(SystemFile.names(in: folder) == ["12-2.en.vtt", "12.txt"])
        try directory.removeSubtitles(of: "A film.mp4", except: [])
        #expect(names.isEmpty)
    }

    @Test func subtitlesThatMayBelongToAnotherFilmStay() throws {
        try write("Film.mkv", "Film.en.vtt", "Film.mp4", in: directory.media)
        #expect(directory.usedStems() == ["film"])
        try directory.removeSubtitles(of: "Film.mp4", except: [])
        #expect(names == ["Film.en.vtt", "Film.mkv", "Film.mp4"])
    }

    @Test func onlySubtitlesOfAFilmBelongToIt() {
        let names = [
            "12.en.vtt", "13.en.vtt", "a.vtt", "12.mp4", "12.EN.vtt", "12.srt", "12.en.x.vtt",
        ]
        #expect(
            LibraryDirectory.withoutSubtitles(names, of: ["12.mp4", "13.en.vtt"])
                == ["13.en.vtt", "a.vtt", "12.mp4", "12.en.x.vtt"]
        )
    }

    @Test func theNumberOfSubtitlesIsNotUsedAgain() throws {
        try SystemFile.makeFolder(directory.numberedMedia)
        try write("40.en.2.vtt", in: directory.numberedMedia)
        #expect(directory.lastNumber == 40)
    }
}
