// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LessonDownloadTests {
    /// Returns a library that has loaded the catalog and whose origin serves the files of the
    /// lessons.
    private func library() async throws -> TestLibrary {
        let test = try await CatalogFixture.library()
        try await test.origin.serve([
            "/french/1.bin": ["size": 5_000], "/french/1.txt": ["text": "Bonjour, le monde."],
            "/french/2.bin": ["size": 3_000],
        ])
        try await test.choose()
        return test
    }

    /// Returns the group's state after all downloads of the group have ended.
    private func settle(
        _ id: String,
        _ group: LessonPart,
        in test: TestLibrary
    ) async throws -> LessonState? {
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        var iterator = changes.makeAsyncIterator()
        while true {
            let downloads = try test.library.downloads(of: test.catalog.lesson(id))
            let state = downloads.state(of: group)
            if state != .queued, state != .downloading { return state }
            guard await iterator.next() != nil else { return nil }
        }
    }

    @Test func aLessonIsDownloadedAsAGroup() async throws {
        let test = try await library()
        let before = try test.library.downloads(of: test.catalog.lesson("1"))
        #expect(before.state(of: .audio) == .notDownloaded)
        #expect(before.state(of: .video) == nil)
        let started = try await test.library.download(lesson: "1", .audio)
        #expect(started.parts.values.allSatisfy { $0.item != nil })
        #expect(try await settle("1", .audio, in: test) == .ready)
        let items = try test.library.journal.items.items()
        #expect(items.map(\.title) == ["Bonjour (text)", "Bonjour"])
        #expect(items.map(\.state) == [.ready, .ready])
        #expect(try test.bytes(of: items[0]) == Data("Bonjour, le monde.".utf8))
        await test.library.stop()
    }

    @Test func aFileInTheLibraryIsNotFetchedAgain() async throws {
        let test = try await library()
        // The library already has the file, in another quality and under another name.
        let known = try await test.get("/french/1.bin", quality: .height(720))
        _ = try await test.library.download(lesson: "1", .audio)
        #expect(try await settle("1", .audio, in: test) == .ready)
        _ = try await test.library.download(lesson: "1", .audio)
        let parts = try test.library.downloads(of: test.catalog.lesson("1")).parts
        #expect(parts[.audio]?.item?.id == known.id)
        #expect(try test.library.journal.items.items().count == 2)
        await test.library.stop()
        let requests = try await test.requests()
        #expect(requests["/french/1.bin"] == 1)
        #expect(requests["/french/1.txt"] == 1)
    }

    @Test func onlyFailedPartsAreRetried() async throws {
        let test = try await library()
        try await test.origin.serve([
            "/french/1.txt": [["status": 404, "text": ""], ["text": "Bonjour."]]
        ])
        _ = try await test.library.download(lesson: "1", .audio)
        #expect(try await settle("1", .audio, in: test) == .failed)
        _ = try await test.library.download(lesson: "1", .audio)
        #expect(try await settle("1", .audio, in: test) == .ready)
        #expect(try await settle("1", .text, in: test) == .ready)
        await test.library.stop()
        #expect(try await test.requests()["/french/1.bin"] == 1)
    }

    @Test func aLessonWithoutTextIsDownloadedWithoutIt() async throws {
        let test = try await library()
        _ = try await test.library.download(lesson: "2", .video)
        #expect(try await settle("2", .video, in: test) == .ready)
        #expect(try test.library.journal.items.items().map(\.title) == ["Au revoir"])
        await test.library.stop()
    }

    @Test(arguments: [
        ("2", LessonPart.audio, "has no audio. Choose its video instead."),
        ("3", LessonPart.video, "has nothing to download"),
        ("1", LessonPart.video, "Choose its audio or text instead."),
    ])
    func aMissingPartThrowsAnErrorWithARemedy(
        id: String,
        group: LessonPart,
        words: String
    ) async throws {
        let test = try await library()
        let error = await #expect(throws: CatalogError.self) {
            try await test.library.download(lesson: id, group)
        }
        #expect(error?.code == .noSuchPart)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(try test.library.journal.items.items().isEmpty)
        await test.library.stop()
    }

    @Test func anUnknownLessonThrows() async throws {
        let test = try await library()
        let error = await #expect(throws: CatalogError.self) {
            try await test.library.download(lesson: "9", .audio)
        }
        #expect(error?.code == .noSuchLesson)
        await test.library.stop()
    }

    @Test(
        arguments: [
            ([], LessonState.notDownloaded), ([.ready, .ready], .ready),
            ([.ready, .notDownloaded], .notDownloaded), ([.failed, .downloading], .downloading),
            ([.failed, .queued], .queued), ([.failed, .ready], .failed),
            ([.queued, .downloading], .downloading),
        ] as [([LessonState], LessonState)]
    )
    func theStateOfAGroupFollowsFromItsParts(parts: [LessonState], whole: LessonState) {
        #expect(LessonState(of: parts) == whole)
    }
}
