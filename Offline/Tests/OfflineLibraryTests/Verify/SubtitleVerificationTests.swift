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
struct SubtitleVerificationTests {
    private let filled: FilledLibrary
    private var library: Library { filled.library }

    /// Creates a library with a verified film and two files of subtitles.
    init() async throws {
        filled = try FilledLibrary()
        try filled.add("a.mp4")
        try filled.write("WEBVTT", to: "a.en.vtt")
        try filled.write("1", to: "a.srt")
        #expect(try await verify().problems.isEmpty)
    }

    private func verify(acceptsSubtitles: Bool = false) async throws -> VerificationReport {
        _ = try library.verify([], acceptsSubtitles: acceptsSubtitles)
        await library.verification.end()
        return library.verification.report
    }

    @Test func o29_changedSubtitlesAreFoundAlthoughTheirSizeStays() async throws {
        try filled.write("WEBVTX", to: "a.en.vtt")
        let report = try await verify()
        #expect(report.problems.map(\.outcome) == [.damaged])
        #expect(
            report.problems.map(\.message) == [
                "The subtitles a.en.vtt have other bytes than before, although their size is the "
                    + "same. If the change is yours, `offline verify 1 --accept-subtitles` keeps "
                    + "it. Restore it from a copy, or run: offline get --again "
                    + "'https://media.example/a.mp4'"
            ]
        )
        #expect(report.intact == 0)
        let content = try Data(contentsOf: URL(filePath: filled.path("a.en.vtt")))
        #expect(content == Data("WEBVTX".utf8))
        // The report does not change the checksum.
        #expect(try await verify().problems == report.problems)
    }

    @Test func o29_missingAndShortSubtitlesAreReportedEach() async throws {
        try SystemFile.remove(filled.path("a.srt"))
        try filled.write("WEB", to: "a.en.vtt")
        let problems = try await verify().problems
        #expect(problems.map(\.outcome) == [.damaged, .missing])
        #expect(problems[0].message.hasPrefix("The subtitles a.en.vtt have 3 bytes instead of 6."))
        #expect(problems[1].message.hasPrefix("The subtitles a.srt are missing."))
    }

    @Test func theChangesOfAPersonAreAccepted() async throws {
        try SystemFile.remove(filled.path("a.srt"))
        try filled.write("WEBVTT, better", to: "a.en.vtt")
        #expect(try await verify(acceptsSubtitles: true).problems.isEmpty)
        #expect(try await verify().problems.isEmpty)
        try filled.write("WEBVTT", to: "a.en.vtt")
        #expect(try await verify().problems.map(\.outcome) == [.damaged])
    }

    @Test func damageOfTheFilmIsNeverAccepted() async throws {
        try filled.write("c0ntent", to: "a.mp4")
        #expect(try await verify(acceptsSubtitles: true).problems.map(\.outcome) == [.damaged])
    }

    @Test func subtitlesOfAMissingFilmAreNotReported() async throws {
        for name in ["a.mp4", "a.srt", "a.en.vtt"] { try SystemFile.remove(filled.path(name)) }
        #expect(try await verify().problems.map(\.outcome) == [.missing])
    }

    @Test func aRenamedFilmKeepsTheChecksums() async throws {
        let item = try await library.rename(ItemID(rawValue: 1), to: "Other")
        let stem = SubtitleFile.stem(of: try #require(item.fileName))
        #expect(try await verify().problems.isEmpty)
        try filled.write("WEBVTX", to: "\(stem).en.vtt")
        #expect(try await verify().problems.map(\.outcome) == [.damaged])
    }

    @Test func subtitlesOfAPersonAreNoneThatTheProgramHasWritten() throws {
        let journal = library.journal
        #expect(try journal.files.subtitleFiles(of: ItemID(rawValue: 1)).isEmpty)
        let checksums = try journal.files.subtitleChecksums(of: ItemID(rawValue: 1))
        #expect(checksums.keys.sorted() == [".en.vtt", ".srt"])
    }

    @Test func importedFilmsHaveTheChecksumsOfTheirSubtitles() async throws {
        try SampleMedia.makeFile("b.mp4", in: library.directory.media)
        try filled.write("WEBVTT", to: "b.de.vtt")
        let file = try ImportedFile(
            "b.mp4",
            size: try #require(SystemFile.size(of: filled.path("b.mp4"))),
            in: library.directory,
            beside: library.directory.subtitleFiles(of: "b.mp4")
        )
        let items = try library.journal.insert([file], at: Date())
        try filled.write("WEBVTX", to: "b.de.vtt")
        let problems = try await verify().problems
        #expect(problems.map(\.id) == items.map(\.id))
        #expect(problems.map(\.outcome) == [.damaged])
    }
}
