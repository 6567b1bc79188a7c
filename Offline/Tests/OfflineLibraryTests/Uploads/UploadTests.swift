// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests of files that a user sends to the library (O34).
@Suite(.timeLimit(.minutes(15)))
struct UploadTests {
    private let folder: TemporaryFolder
    private let document = [UInt8]("%PDF-1.7 a document".utf8)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(free: Int64? = nil) throws -> Library {
        var configuration = LibraryConfiguration(
            directory: LibraryDirectory(path: folder.path + "/library")
        )
        if let free { configuration.freeSpace = { _ in free } }
        return try Library(configuration)
    }

    private func begin(_ library: Library, _ name: String = "a.pdf") async throws -> Upload {
        try await library.uploads.begin(name, size: Int64(document.count))
    }

    private func names(_ library: Library) -> [String] {
        SystemFile.names(in: library.directory.media).filter { $0 != ".offline" }.sorted()
    }

    @Test func o34_aKillBetweenTheCommitAndTheMoveLosesNothing() async throws {
        let library = try open()
        let directory = library.directory
        let part = PartialUploads.makeName() + ".pdf"
        try Data(document).write(to: URL(filePath: directory.mediaFile(part)))
        let number = SystemFile.number(of: directory.mediaFile(part))
        let file = try ImportedFile(
            part,
            size: Int64(document.count),
            in: directory,
            sent: .init(name: "a.pdf", number: number, directory: directory)
        )
        let item = try #require(try library.journal.insert([file], at: Date()).first)
        #expect(item.fileName == "a.pdf" && names(library) == [part])
        library.journal.leaveWhole()
        await library.stop()
        // The stop leaves a file that waits for a name.
        #expect(SystemFile.exists(directory.mediaFile(part)))
        let again = try open()
        #expect(names(again) == ["a.pdf"])
        #expect(try again.item(item.id).state == .ready)
        await again.stop()
    }

    @Test func o34_theFileOfAKilledUploadIsRemovedAtTheNextStart() async throws {
        let library = try open()
        let part = library.directory.mediaFile(PartialUploads.makeName())
        let own = library.directory.mediaFile(".offline-upload-of-mine")
        for path in [part, own] { try Data(document).write(to: URL(filePath: path)) }
        await library.stop()
        let again = try open()
        #expect(!SystemFile.exists(part))
        // A file with only a similar name does not belong to the program.
        #expect(SystemFile.exists(own))
        await again.stop()
    }

    @Test func o34_aFileWithoutItsLastByteIsNotKept() async throws {
        let library = try open()
        let upload = try await begin(library)
        try upload.append(document.dropLast())
        await #expect {
            _ = try await upload.finish()
        } throws: {
            ($0 as? LibraryError)?.code == .incomplete
        }
        #expect(try names(library) == [] && library.journal.items.items().isEmpty)
        await library.stop()
    }

    @Test func o34_aFifthUploadWaitsForAPlace() async throws {
        let library = try open()
        var running: [Upload] = []
        for _ in 1...UploadPlaces.count { running.append(try await begin(library)) }
        async let fifth = begin(library)
        let waiting = Task { try await begin(library) }
        waiting.cancel()
        await #expect {
            _ = try await waiting.value
        } throws: {
            ($0 as? LibraryError)?.code == .unavailable
        }
        #expect(names(library).count == UploadPlaces.count)
        running.removeFirst().cancel()
        let upload = try await fifth
        try upload.append(document)
        #expect(try await upload.finish().isNew)
        for each in running { each.cancel() }
        #expect(names(library) == ["a.pdf"])
        await library.stop()
    }

    @Test func o34_theReserveOfAFullDiskIsNotForUploads() async throws {
        let library = try open(free: 20)
        #expect(throws: LibraryError.self) { try library.uploads.check("a", size: 21) }
        await library.stop()
    }

    @Test(arguments: [
        ("Film.MP4", ContentKind.mp4, "MP4"), ("Film", .mp4, "mp4"), ("Film.exe", .mp4, "mp4"),
        ("Notes.md", .text, "md"), ("Notes.a b", .text, "txt"), ("x.opus", .ogg, "opus"),
    ])
    func theExtensionIsThatOfTheNameUnlessItHidesMedia(
        _ name: String,
        _ kind: ContentKind,
        _ end: String
    ) {
        #expect(UploadName(name).fileExtension(kind) == end)
    }
}
