// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsHTTP
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PageDownloadTests {
    private func page(_ body: String) -> JSON {
        ["text": .text("<title>Reef</title>" + body), "type": "text/html; charset=utf-8"]
    }

    /// Returns a library whose origin server has the films `/one.mp4` and `/two.mp4`.
    private func makeTest(_ routes: [String: JSON]) async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
        try SampleMedia.makeFile("two.mp4", in: test.folder.path)
        try await test.origin.serve([
            "/one.mp4": ["file": film(1, test)], "/two.mp4": ["file": film(2, test)],
        ])
        try await test.origin.serve(routes)
        return test
    }

    private func film(_ number: Int, _ test: TestLibrary) -> JSON {
        .text(test.folder.path + (number == 1 ? "/one.mp4" : "/two.mp4"))
    }

    @Test func thePageOfOneFilmBecomesTheFilm() async throws {
        let test = try await makeTest(["/watch": page("<video src=/one.mp4></video>")])
        let item = try await test.get("/watch?v=7")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.title == "Reef")
        #expect(item.kind == .file)
        #expect(item.origin == .address(try test.origin.address("/watch?v=7")))
        #expect(try test.bytes(of: item).count == item.size.map(Int.init))
        let request = try #require(try await test.origin.log().last)
        #expect(request.header("Referer") == test.origin.base + "/watch?v=7")
        await test.library.stop()
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
    }

    @Test func aPlayerInsideOfThePageIsLookedInto() async throws {
        let test = try await makeTest([
            "/watch": page("<iframe src=/embed allowfullscreen></iframe>"),
            "/embed": page("<video src=/one.mp4></video>"),
        ])
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let log = try await test.origin.log()
        #expect(
            log.map { $0.header("Referer") } == [
                nil, test.origin.base + "/watch", test.origin.base + "/embed",
            ]
        )
        await test.library.stop()
    }

    @Test func o20_severalMediaAreListedWithTheirCommands() async throws {
        let test = try await makeTest([
            "/watch": page("<a href=/one.mp4?k=1>One</a><a href=/two.mp4>Two</a>")
        ])
        let item = try await test.get("/watch")
        let message = try #require(item.failure?.message)
        #expect(message.contains("offers 2 media"))
        #expect(message.contains("1. One (video): offline get '\(test.origin.base)/one.mp4?k=1'"))
        #expect(message.contains("2. Two (video): offline get '\(test.origin.base)/two.mp4'"))
        await test.library.stop()
    }

    @Test func theTitleOfThePersonIsKept() async throws {
        let test = try await makeTest(["/watch": page("<video src=/one.mp4></video>")])
        var request = try test.request("/watch")
        request.title = "Mine"
        let result = try await test.library.enqueue(request)
        _ = try await test.get("/watch")
        #expect(try test.library.item(result.item.id).title == "Mine")
        await test.library.stop()
    }

    @Test func o5_anExpiredAddressResumesWithANewOne() async throws {
        let test = try await makeTest([:])
        try await test.origin.serve([
            "/watch": [
                page("<video src='/one.mp4?t=1'></video>"),
                page("<video src='/one.mp4?t=2'></video>"),
            ],
            "/one.mp4?t=1": [
                ["file": film(1, test), "cut": 4_000], ["status": 403, "text": "expired"],
            ],
        ])
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let ranges = try await test.origin.log().map(\.range)
        #expect(ranges == [nil, nil, "bytes=4000-", nil, "bytes=4000-"])
        let film = try Data(contentsOf: URL(filePath: test.folder.path + "/one.mp4"))
        #expect(try test.bytes(of: item) == film)
        await test.library.stop()
    }

    @Test func o5_otherMediaOfThePageAreNotAppended() async throws {
        let test = try await makeTest([:])
        try await test.origin.serve([
            "/watch": [page("<video src=/one.mp4>"), page("<video src=/two.mp4>")],
            "/one.mp4": [
                ["file": film(1, test), "cut": 4_000, "etag": "\"same\""],
                ["status": 404, "text": "gone"],
            ],
            "/two.mp4": ["file": film(2, test), "etag": "\"same\""],
        ])
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note?.contains("Started over: the page now names another address.") == true)
        #expect(try await test.origin.log().last?.range == nil)
        await test.library.stop()
    }

    @Test func o5_aPageNeverReplacesTheBytesOfAFile() async throws {
        let test = try await makeTest([:])
        try await test.origin.serve([
            "/big.bin": [
                ["size": 3_000_000, "seed": 7, "cut": 1_000_000],
                page("<video src=/one.mp4></video>"),
            ]
        ])
        let item = try await test.get("/big.bin")
        #expect(item.failure?.message.contains("now returns a web page") == true)
        let partial = test.library.directory.partialFile(of: item.id)
        #expect(SystemFile.size(of: partial) == 1_000_000)
        await test.library.stop()
    }

    @Test(arguments: [
        ("<p>no media", "without a video or sound"),
        ("<video src='blob:x'></video>", "builds its stream in the browser"),
        ("<script>p={drm:{a:1}}</script>", "protects its media"),
        ("<video src=/page.mp4></video>", "is a web page, too"),
    ])
    func aPageWithoutUsableMediaFailsWithARemedy(body: String, words: String) async throws {
        let test = try await makeTest(["/watch": page(body), "/page.mp4": page("x")])
        let item = try await test.get("/watch")
        #expect(item.failure?.message.contains(words) == true, "\(item.failure?.message ?? "")")
        await test.library.stop()
    }
}
