// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
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

    private var names: [String] { SystemFile.names(in: directory.media).sorted() }

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

    @Test func subtitlesAreRenamedAndRemovedWithTheirFilm() throws {
        try write("12.en.vtt", "12.de.2.vtt", "12.txt", "12-2.en.vtt", in: directory.media)
        try directory.renameSubtitles(of: "12.mp4", to: "7.mp4")
        #expect(names == ["12-2.en.vtt", "12.txt", "7.de.vtt", "7.en.vtt"])
        try directory.removeSubtitles(of: "7.mp4")
        #expect(names == ["12-2.en.vtt", "12.txt"])
    }

    @Test func onlySubtitlesOfAFilmBelongToIt() {
        let names = ["12.en.vtt", "13.en.vtt", "a.vtt", "12.mp4", "12.EN.vtt", "12.en.x.vtt"]
        #expect(
            LibraryDirectory.withoutSubtitles(names, of: ["12.mp4", "13.en.vtt"])
                == ["13.en.vtt", "a.vtt", "12.mp4", "12.EN.vtt", "12.en.x.vtt"]
        )
    }

    @Test func theNumberOfSubtitlesIsNotUsedAgain() throws {
        try write("40.en.2.vtt", in: directory.media)
        #expect(directory.lastNumber == 40)
    }
}
