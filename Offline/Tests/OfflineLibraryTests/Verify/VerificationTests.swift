// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct VerificationTests {
    private typealias Outcome = VerificationReport.Outcome

    private let filled: FilledLibrary
    private var library: Library { filled.library }

    init() throws {
        filled = try FilledLibrary()
    }

    /// Verifies items and returns the result after the end.
    private func verify(_ ids: Set<ItemID> = []) async throws -> VerificationReport {
        _ = try library.verify(ids)
        await library.verification.end()
        return library.verification.report
    }

    @Test func o29_aChangedByteIsFoundAlthoughTheSizeStays() async throws {
        try filled.add("a.txt", "content")
        let first = try await verify()
        #expect((first.recorded, first.intact, first.bytes) == (1, 0, 7))
        let second = try await verify()
        #expect((second.recorded, second.intact) == (0, 1))
        try filled.write("c0ntent", to: "a.txt")
        let third = try await verify()
        #expect(third.intact == 0)
        #expect(third.problems.map(\.outcome) == [.damaged])
        let message = try #require(third.problems.first?.message)
        #expect(message.hasSuffix("or run: offline get --again 'https://media.example/a.txt'"))
        #expect(try Data(contentsOf: URL(filePath: filled.path("a.txt"))) == Data("c0ntent".utf8))
    }

    @Test func o29_missingShortAndUnfinishedFilesAreReported() async throws {
        let items = try [
            filled.add("gone.txt"), filled.add("short.txt"), filled.add("waiting", state: .queued),
            filled.add("folder"), filled.add("whole.txt"),
        ]
        try SystemFile.remove(filled.path("gone.txt"))
        try filled.write("con", to: "short.txt")
        try SystemFile.remove(filled.path("folder"))
        try SystemFile.makeFolder(filled.path("folder"))
        let report = try await verify(Set(items.map(\.id)))
        #expect(report.problems.map(\.id) == items.prefix(4).map(\.id))
        #expect(
            report.problems.map(\.outcome) == [
                Outcome.missing, .damaged, .unfinished, .missing,
            ]
        )
        #expect((report.checked, report.total, report.recorded) == (5, 5, 1))
        #expect(report.problems[1].message.contains("3 bytes instead of 7"))
        for number in 0..<2 {
            #expect(report.problems[number].message.hasSuffix("offline resume \(number + 1)"))
        }
        // Only the checksum was recorded.
        #expect(try library.item(items[0].id) == items[0])
    }

    @Test func o29_theCommandOfADamagedItemKeepsItsOptionsAndNoSecret() async throws {
        var request = DownloadRequest(try ItemOrigin(text: "https://media.example/a'b.txt"))
        request.choice = RequestedChoice(MediaChoice(quality: .height(180), subtitles: .none))
        request.allowsPrivateAddresses = true
        try request.setOptions(RequestOptions(.init(headers: ["X-Key: geheim"], limit: "2M")))
        let item = try filled.add("a.txt", request)
        _ = try await verify()
        try filled.write("c0ntent", to: "a.txt")
        let message = try #require(try await verify().problems.first?.message)
        #expect(
            message.hasSuffix(
                "or run, with the same --header: offline get --again "
                    + "'https://media.example/a'\\''b.txt' --quality 180p --subtitles none --limit 2M "
                    + "--allow-private"
            )
        )
        #expect(!message.contains("geheim"))
        #expect(try library.item(item.id).state == .ready)
    }

    @Test func o29_aReadyItemWithoutItsFileIsDownloadedAgainAndAWholeOneIsNot() async throws {
        let gone = try filled.add("gone.txt")
        let whole = try filled.add("whole.txt")
        try SystemFile.remove(filled.path("gone.txt"))
        #expect(try await library.retry(gone.id).state == .queued)
        let error = await #expect(throws: LibraryError.self) { try await library.retry(whole.id) }
        #expect(error?.code == .notRetryable)
    }

    @Test func theChecksumOfTheRequestIsComparedFromTheFirstTime() async throws {
        let zeros = String(repeating: "0", count: 32)
        try filled.add("a.txt", options: .init(checksum: "md5:" + zeros))
        let right = "md5:9a0364b9e99bb480dd25e1f0284c8555"
        try filled.add("b.txt", "content", options: .init(checksum: right))
        let report = try await verify()
        #expect(report.problems.map(\.title) == ["a.txt"])
        #expect((report.intact, report.recorded) == (1, 0))
    }

    @Test func anItemThatChangesDuringTheRunIsNoDamage() throws {
        let renamed = try filled.add("a.txt")
        let removed = try filled.add("b.txt")
        try SystemFile.rename(filled.path("a.txt"), to: filled.path("c.txt"))
        try library.journal.change(renamed.id, .file(name: "c.txt", size: 7))
        try library.journal.remove(removed.id)
        let check = FileVerification(directory: library.directory, journal: library.journal)
        #expect(try check.result(of: renamed) { _ in } == .recorded)
        #expect(try check.result(of: removed) { _ in } == nil)
    }

    @Test func aNewFileOfAnItemHasNoEarlierChecksum() async throws {
        let item = try filled.add("a.txt")
        _ = try await verify()
        try filled.write("another", to: "a.txt")
        try library.journal.change(item.id, .file(name: "a.txt", size: 7))
        let report = try await verify()
        #expect((report.recorded, report.problems.count) == (1, 0))
    }

    @Test func o29_aLaterVerificationHidesNoDamage() async throws {
        let damaged = try filled.add("a.txt", "content")
        let whole = try filled.add("b.txt", "content")
        _ = try await verify()
        try filled.write("c0ntent", to: "a.txt")
        let first = try await verify([damaged.id])
        let second = try await verify([whole.id])
        #expect(second.run == first.run + 1)
        #expect(library.verification.report(of: first.run) == first)
        #expect(library.verification.report(of: second.run)?.problems == [])
        #expect(library.verification.report(of: second.run + 1) == nil)
        for _ in 0..<16 { _ = try await verify([whole.id]) }
        #expect(library.verification.report(of: first.run) == nil)
    }

    @Test func aLateStopEndsNoOtherVerification() {
        var state = Verification.State()
        _ = state.begin([])
        state.end()
        _ = state.begin([])
        state.stop(1)
        #expect(!state.isStopping)
        state.stop(2)
        #expect(state.isStopping)
    }

    @Test func anUnknownItemIsRefused() throws {
        let error = #expect(throws: LibraryError.self) {
            try library.verify([ItemID(rawValue: 9)])
        }
        #expect(error?.code == .notFound)
        #expect(!library.verification.report.isRunning)
    }

    @Test func oneVerificationRunsAtATime() throws {
        let item = try filled.add("a.txt")
        var state = Verification.State()
        let begins = [state.begin([item]), state.begin([item])]
        #expect(begins == [true, false])
        state.isStopping = true
        state.end()
        #expect(state.report.isStopped && !state.report.isRunning)
        let beginsAgain = state.begin([item])
        #expect(beginsAgain)
        state.note(.intact)
        state.isStopping = true
        state.end()
        #expect(!state.report.isStopped)
    }
}
