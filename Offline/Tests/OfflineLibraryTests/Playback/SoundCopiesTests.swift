// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsLock
import TidingsTesting

@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct SoundCopiesTests {
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory
    private let log = Log()

    /// A log of the copies that were made.
    private final class Log: Sendable {
        private let state = Lock<[String]>([])

        var made: [String] { state.withLock(\.self) }

        func add(_ name: String) { state.withLock { $0.append(name) } }
    }

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(path: folder.path + "/library")
        try directory.create()
    }

    /// Returns copies whose maker writes the numbers of the film and the sound, then calls a
    /// closure.
    private func makeCopies(
        free: Int64? = nil,
        before: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) -> SoundCopies {
        let log = log
        var tools = SoundTools()
        tools.find = { _, number in
            number < 9 ? MediaTrack(kind: .audio, codec: "aac", index: number) : nil
        }
        tools.make = { film, sound, path in
            let number = sound.index ?? 0
            log.add("\(film.item)-\(number)")
            try Data("\(film.item)-\(number)".utf8).write(to: URL(filePath: path))
            try await before(number)
        }
        return SoundCopies(directory, DiskSpace(directory, measure: { _ in free }), tools: tools)
    }

    private func film(_ id: Int64 = 1, content: String = "film") throws -> SoundCopies.Film {
        let path = directory.mediaFile("\(id).mp4")
        try Data(content.utf8).write(to: URL(filePath: path))
        let stamp = try #require(FileStamp(of: path))
        return SoundCopies.Film(
            item: ItemID(rawValue: id),
            path: path,
            stamp: stamp,
            mediaType: "video/mp4"
        )
    }

    private var names: [String] { SystemFile.names(in: directory.sounds).sorted() }

    private func code(
        of copies: SoundCopies,
        _ film: SoundCopies.Film,
        _ number: Int
    ) async
        -> LibraryErrorCode?
    {
        do throws(LibraryError) {
            _ = try await copies.file(of: film, sound: number)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func callersOfOneSoundShareItsCopy() async throws {
        let gate = Gate()
        let copies = makeCopies { _ in try await gate.wait() }
        let film = try film()
        async let first = copies.file(of: film, sound: 2)
        async let second = copies.file(of: film, sound: 2)
        gate.open()
        let paths = try await [first, second, copies.file(of: film, sound: 2)]
        #expect(Set(paths) == [directory.sound(2, of: film.item)])
        #expect(try String(contentsOfFile: paths[0], encoding: .utf8) == "1-2")
        #expect(log.made == ["1-2"])
    }

    @Test func onlyTheCopiesUsedLastAreKept() async throws {
        let copies = makeCopies()
        let film = try film()
        for number in [2, 3, 2, 4] { _ = try await copies.file(of: film, sound: number) }
        #expect(names == ["1-2", "1-4"])
        _ = try await copies.file(of: film, sound: 2)
        _ = try await copies.file(of: film, sound: 3)
        #expect(names == ["1-2", "1-3"])
        #expect(log.made == ["1-2", "1-3", "1-4", "1-3"])
    }

    @Test func aReplacedFilmAndALostCopyAreCopiedAgain() async throws {
        let copies = makeCopies()
        _ = try await copies.file(of: try film(), sound: 2)
        _ = try await copies.file(of: try film(content: "another film"), sound: 2)
        #expect(log.made.count == 2)
        #expect(names == ["1-2"])
        try SystemFile.remove(directory.sound(2, of: ItemID(rawValue: 1)))
        _ = try await copies.file(of: try film(content: "another film"), sound: 2)
        #expect(names == ["1-2"])
    }

    @Test func aFilmReplacedMeanwhileGivesNoCopy() async throws {
        let path = directory.mediaFile("1.mp4")
        let copies = makeCopies { _ in try Data("other film".utf8).write(to: URL(filePath: path)) }
        let film = try film()
        #expect(await code(of: copies, film, 2) == .notFound)
        #expect(names == [])
    }

    @Test func theRemovalOfAnItemEndsItsCopies() async throws {
        let (began, never) = (Gate(), Gate())
        let copies = makeCopies { number in
            guard number == 3 else { return }
            began.open()
            try await never.wait()
        }
        let (film, other) = (try film(), try film(2))
        _ = try await copies.file(of: other, sound: 2)
        _ = try await copies.file(of: film, sound: 2)
        async let waiting = code(of: copies, film, 3)
        try await began.wait()
        copies.remove(film.item)
        #expect(await waiting == .notFound)
        #expect(!names.contains("1-2") && !names.contains("1-3"))
    }

    @Test func aFullDiskIsRefusedBeforeTheCopy() async throws {
        let copies = makeCopies(free: DiskSpace.reserve + 3)
        let film = try film()
        #expect(await code(of: copies, film, 2) == .diskFull)
        #expect(log.made == [])
    }

    @Test(arguments: [9, Int.max])
    func anUnknownSoundTakesNoPlace(_ number: Int) async throws {
        let copies = makeCopies()
        let film = try film()
        for known in [2, 3] { _ = try await copies.file(of: film, sound: known) }
        #expect(await code(of: copies, film, number) == .notFound)
        #expect(names == ["1-2", "1-3"])
    }

    @Test func afterAFailureTheNextCallTriesAgain() async throws {
        let isBroken = Lock(true)
        let copies = makeCopies { _ in
            if isBroken.withLock(\.self) { throw MediaError(.failed, "ffmpeg was stopped.") }
        }
        let film = try film()
        #expect(await code(of: copies, film, 2) == .unreadableSound)
        isBroken.withLock { $0 = false }
        #expect(await code(of: copies, film, 2) == nil)
    }

    @Test func theEndOfTheProcessEndsAllCopies() async throws {
        let (began, never) = (Gate(), Gate())
        let copies = makeCopies { _ in
            began.open()
            try await never.wait()
        }
        let film = try film()
        async let waiting = code(of: copies, film, 2)
        async let next = code(of: copies, film, 3)
        try await began.wait()
        await copies.stop()
        #expect(await waiting == .unavailable)
        #expect(await next == .unavailable)
        #expect(await code(of: copies, film, 2) == .unavailable)
        #expect(!SystemFile.exists(directory.sounds))
    }
}
