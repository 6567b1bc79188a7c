// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LibrarySoundTests {
    private let filled: FilledLibrary
    private var library: Library { filled.library }

    init() throws {
        filled = try FilledLibrary()
    }

    /// Adds a film with sound in English, German and French.
    private func addFilm(_ mediaType: String = "video/mp4") throws -> MediaItem {
        let item = try filled.add("film.mp4")
        let sounds = ["eng", "deu", "fra"].enumerated().flatMap { number, language in
            ["-map", "1", "-metadata:s:a:\(number)", "language=\(language)"]
        }
        try SampleMedia.makeFile("film.mp4", in: library.directory.media, ["-map", "0"] + sounds)
        return try #require(try library.journal.change(item.id, .set(\.mediaType, mediaType)))
    }

    private func code(_ number: Int, of id: ItemID) async -> LibraryErrorCode? {
        do throws(LibraryError) {
            _ = try await library.sound(number, of: id)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func anotherSoundIsTheOnlyOneOfACopy() async throws {
        let item = try addFilm()
        let copy = try await library.sound(2, of: item.id)
        let tracks = try await MediaProbe().probe(copy).tracks
        #expect(tracks.map(\.kind) == [.video, .audio])
        #expect(tracks.last?.language == "deu")
        #expect(try SampleMedia.frames(of: copy) == 60)
        let film = filled.path("film.mp4")
        // The copy has the modification time of the film, to the microsecond.
        let times = [copy, film].compactMap { FileStamp(of: $0)?.modified }
        #expect(abs(times[0] - times[1]) < 1_000)
        #expect(!copy.hasPrefix(library.directory.media + "/film"))
        // The first sound needs no copy.
        #expect(try await library.sound(1, of: item.id) == film)
        try await library.remove(item.id, withFile: true)
        #expect(!SystemFile.exists(copy))
    }

    @Test(arguments: [0, -1, 4, Int.max, Int.min])
    func aFilmHasNoOtherSounds(_ number: Int) async throws {
        let item = try addFilm()
        #expect(await code(number, of: item.id) == .notFound)
        #expect(await code(2, of: ItemID(rawValue: 99)) == .notFound)
    }

    @Test func aFileThatCannotBeCopiedIsNamed() async throws {
        let text = try filled.add("text.mp4")
        #expect(await code(2, of: text.id) == .unreadableSound)
        let film = try addFilm("video/x-flv")
        #expect(await code(2, of: film.id) == .unreadableSound)
        try SystemFile.remove(filled.path("film.mp4"))
        #expect(await code(2, of: film.id) == .notFound)
        let queued = try filled.add("later", state: .queued)
        #expect(await code(2, of: queued.id) == .notFound)
    }

    @Test func aMissingProgramIsNamedWithItsPackage() async throws {
        let tools = SoundTools(SoundMuxer(searchPath: "/nonexistent"))
        let directory = library.directory
        let copies = SoundCopies(
            directory,
            DiskSpace(directory, measure: { _ in nil }),
            tools: tools
        )
        let item = try addFilm()
        let path = filled.path("film.mp4")
        let film = SoundCopies.Film(
            item: item.id,
            path: path,
            stamp: try #require(FileStamp(of: path)),
            mediaType: item.mediaType
        )
        let error = await #expect(throws: LibraryError.self) {
            try await copies.file(of: film, sound: 2)
        }
        #expect(error?.code == .toolMissing)
        #expect(error?.message.contains("apt-get install ffmpeg") == true)
    }

    @Test func theNextStartRemovesThePartsOfAKilledOne() async throws {
        let directory = library.directory
        await library.stop()
        let part = directory.sound(2, of: ItemID(rawValue: 1)) + ".part"
        try SystemFile.makeFolder(directory.sounds)
        try SystemFile.create(part, content: Data([1]))
        let next = try Library(LibraryConfiguration(directory: directory))
        #expect(!SystemFile.exists(part))
        await next.stop()
    }
}
