// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsHTTP
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LibraryTransferTests {
    private static let head =
        #"{"exportedAt":"2026-01-01T00:00:00Z","format":"offline-library","version":1}"#
    private static let fileCatalog =
        #""catalog":{"address":"file:///a","allowPrivate":false},"version""#
    private static let item =
        #"{"address":"https://a.example/1","createdAt":"2026-01-01T00:00:00Z","quality":"best","#
        + #""size":7,"state":"ready","title":"One""#

    /// Invalid ends of the line of an item.
    private static let invalidEnds: [String] = [
        "", #","fileName":"../a"}"#, #","fileName":".hidden"}"#, #","fileName":"a\u0000b"}"#,
        #","sha256":"xyz"}"#, #","width":-1}"#,
        #","fileName":"a.mp4","subtitleChecksums":{".vtt":{"size":1,"sha256":"xyz"}}}"#,
        #","duration":1e999}"#, #","checksum":"md5:0"}"#,
        #","title":"# + String(repeating: "[", count: 60_000),
    ]
    /// Invalid second lines.
    private static let invalidLines: [String] = [
        "", #"{"items":1}"#, String(repeating: "a", count: 70_000),
        item.replacing("best", with: "huge") + "}", item.replacing("ready", with: "gone") + "}",
    ]
    /// Invalid exports with the number of the invalid line.
    private static let invalidTexts: [(String, Int)] = {
        var texts: [(String, Int)] = [("", 1), ("nothing", 1), ("\(head)\n\(item)}", 3)]
        texts.append((#"{"format":"offline-library","version":4}"#, 1))
        texts.append((head.replacing("\"version\"", with: fileCatalog), 1))
        for end in invalidEnds { texts.append(("\(head)\n\(item)\(end)", 2)) }
        for line in invalidLines { texts.append(("\(head)\n\(line)", 2)) }
        texts.append(("\(head)\n\(item)}\n{\"items\":-9223372036854775808}", 3))
        return texts
    }()

    private let source: FilledLibrary
    private let target: FilledLibrary

    init() throws {
        source = try FilledLibrary()
        target = try FilledLibrary()
    }

    private func items() throws -> [MediaItem] { try target.library.journal.items.items() }

    @Test func o29_aLibraryIsCarriedWithItsFilesAndOrder() async throws {
        try source.add("a.mp4")
        try source.add("b.txt")
        try source.add("waiting", state: .queued)
        let failed = try source.add("failed", state: .queued)
        try source.library.journal.move(
            failed.id,
            .fail,
            with: .set(\.error, .init(code: "x", message: "M"))
        )
        try source.write("WEBVTT", to: "a.en.vtt")
        try target.write("content", to: "a.mp4")
        let text = try source.export()
        #expect(text.contains(#""subtitleFiles":["a.en.vtt"]"#))
        let report = try await target.load(text)
        #expect((report.items, report.ready, report.missing, report.unfinished) == (4, 1, 1, 2))
        let items = try items()
        #expect(items.map(\.title) == ["failed", "waiting", "b.txt", "a.mp4"])
        #expect(items.map(\.state) == [.failed, .paused, .missing, .ready])
        #expect(items[0].failure == ItemFailure(code: "x", message: "M"))
        #expect(items[3].fileName == "a.mp4")
        #expect(target.library.journal.counts.lastData?.states[.ready] == 1)
    }

    @Test func o29_twoTextsInOneAreRefused() async throws {
        try source.add("a.mp4")
        let text = try source.export()
        let error = await #expect(throws: LibraryError.self) { try await target.load(text + text) }
        #expect(error?.message.hasPrefix("Line 4 of the import: The text goes on") == true)
        #expect(try items().isEmpty)
        #expect(try await target.load(text + "\r\n \n").items == 1)
    }

    @Test(arguments: [
        ("\"size\":7", "\"size\":\"7\"", "The member “size” has a wrong value."),
        ("\"title\"", "\"name\"", "The member “title” is missing."),
        ("\"best\"", "\"0p\"", "Unknown quality “0p”."),
        ("{\"address\"", "[\"address\"", "It is no JSON."),
    ])
    func aFaultOfALineIsNamed(_ part: String, _ other: String, _ fault: String) async throws {
        let line = Self.item.replacing(part, with: other) + "}"
        let text = "\(Self.head)\n\(line)\n{\"items\":1}\n"
        let error = await #expect(throws: LibraryError.self) { try await target.load(text) }
        #expect(
            error?.message.hasPrefix("Line 2 of the import: \(fault)") == true,
            "\(error?.message ?? "no error")"
        )
    }

    @Test func o29_theOrderOfTheQueueIsCarried() async throws {
        for name in ["first", "second", "third"] { try source.add(name, state: .queued) }
        _ = try source.library.journal.reorder(ItemID(rawValue: 3), .top)
        try target.add("own", state: .queued)
        _ = try await target.load(try source.export())
        let queue = try items().sorted { $0.position < $1.position }
        #expect(queue.map(\.title) == ["own", "third", "first", "second"])
    }

    @Test func o29_theChangeOfAKnownItemIsPosted() async throws {
        var request = DownloadRequest(try ItemOrigin(text: "https://media.example/a"))
        request.allowsPrivateAddresses = true
        _ = try source.add("a", request, state: .queued)
        let known = try target.add("a", state: .queued)
        let changes = MessageRecorder(ItemChanged.self, on: target.library.messages)
        #expect(try await target.load(try source.export(), allowsPrivate: true).known == 1)
        #expect(changes.messages.map(\.item.id) == [known.id])
        #expect(changes.messages.first?.item.allowsPrivateAddresses == true)
    }

    @Test func o29_aSecondImportAddsNothing() async throws {
        try source.add("a.mp4")
        try source.add("b.mp4")
        try target.add("b.mp4")
        let text = try source.export()
        #expect(try await target.load(text).known == 1)
        let again = try await target.load(text)
        #expect((again.known, try items().count) == (2, 2))
    }

    @Test func o14_secretsAreNotExported() async throws {
        let options = RequestOptions.Texts(
            headers: ["Authorization: Bearer 5ecret"],
            proxy: "http://me:5ecret@127.0.0.1:9",
            checksum: "sha1:" + String(repeating: "a", count: 40)
        )
        try source.add("a.mp4", options: options)
        let text = try source.export()
        #expect(!text.contains("5ecret"))
        #expect(text.contains(#""omitted":["headers","proxy"]"#))
        #expect(try await target.load(text).withoutOptions == 1)
        let loaded = try target.library.journal.items.options(of: items()[0].id)
        #expect(loaded.texts == RequestOptions.Texts(checksum: options.checksum))
    }

    @Test func theChecksumOfAVerifiedFileIsCarried() async throws {
        try source.add("a.txt", "content")
        _ = try source.library.verify([])
        await source.library.verification.end()
        try target.write("c0ntent", to: "a.txt")
        #expect(try await target.load(source.export()).ready == 1)
        _ = try target.library.verify([])
        await target.library.verification.end()
        #expect(target.library.verification.report.problems.map(\.outcome) == [.damaged])
    }

    @Test func theChecksumsOfSubtitlesAreCarried() async throws {
        try source.add("a.mp4")
        try source.write("WEBVTT", to: "a.en.vtt")
        _ = try source.library.verify([])
        await source.library.verification.end()
        try target.write("content", to: "a.mp4")
        try target.write("WEBVTX", to: "a.en.vtt")
        #expect(try await target.load(source.export()).ready == 1)
        _ = try target.library.verify([])
        await target.library.verification.end()
        let problems = target.library.verification.report.problems
        #expect(problems.map(\.outcome) == [.damaged])
        #expect(problems.first?.message.contains("a.en.vtt") == true)
    }

    @Test func theCatalogIsSetIfThereIsNone() async throws {
        let address = CatalogAddress(try WebAddress("https://school.example/all.json"))
        try source.library.catalog.setAddress(address)
        let text = try source.export()
        _ = try await target.load(text)
        #expect(target.library.catalog.address == address)
        let other = CatalogAddress(try WebAddress("https://other.example/all.json"))
        try target.library.catalog.setAddress(other)
        _ = try await target.load(text)
        #expect(target.library.catalog.address == other)
    }

    @Test func aNameThatAnotherItemHasIsLeftOut() async throws {
        try target.add("a.mp4", "other content")
        try source.add("A.MP4")
        #expect(try await target.load(source.export()).missing == 1)
        #expect(try items().map(\.fileName) == [nil, "a.mp4"])
    }

    @Test(arguments: invalidTexts)
    func o29_anInvalidTextChangesNothing(_ text: String, _ line: Int) async throws {
        let error = await #expect(throws: LibraryError.self) { try await target.load(text + "\n") }
        #expect(error?.code == .invalidImport)
        #expect(error?.message.hasPrefix("Line \(line) of the import: ") == true)
        #expect(try items().isEmpty)
    }

    @Test func linesAreReadInPieces() throws {
        let long = String(repeating: "b", count: 600_000)
        var lines = DocumentLines([UInt8]("a\n\n\(long)\nc".utf8))
        var sizes: [Int] = []
        while let line = try lines.next(limit: 1_000_000) { sizes.append(line.count) }
        #expect(sizes == [1, 0, 600_000, 1])
    }
}
