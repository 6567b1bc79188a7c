// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PageStreamDownloadTests {
    /// Returns a library whose origin server has a page at `/watch` with a stream of six segments.
    private func makeTest() async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeStream(in: test.folder.path + "/s", [])
        let page = "<title>Reef</title><script>hls.loadSource('/s/stream.m3u8')</script>"
        try await test.origin.serve([
            "/s/": ["directory": .text(test.folder.path + "/s")],
            "/watch": ["text": .text(page), "type": "text/html"],
        ])
        return test
    }

    @Test func thePageOfAStreamBecomesOneFile() async throws {
        let test = try await makeTest()
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.kind == .stream)
        #expect(item.title == "Reef")
        let requests = try await test.origin.log().dropFirst()
        #expect(requests.count == 7)
        #expect(requests.allSatisfy { $0.header("Referer") == test.origin.base + "/watch" })
        await test.library.stop()
    }

    @Test func o3_anInterruptedStreamOfAPageKeepsItsSegments() async throws {
        let first = try await makeTest()
        try await first.origin.serve(["/s/part4.ts": ["status": 404, "text": "no"]])
        let failed = try await first.get("/watch")
        #expect(failed.failure?.message.hasPrefix("1 of 6 segments are missing (5)") == true)
        await first.library.stop()
        try await first.origin.serve([
            "/s/part4.ts": ["file": .text(first.folder.path + "/s/part4.ts")]
        ])
        let second = try TestLibrary(in: first.folder, origin: first.origin)
        let item = try await second.get("/watch")
        #expect(item.id == failed.id)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let requests = try await second.requests()
        #expect(requests["/watch"] == 2)
        #expect(requests["/s/part0.ts"] == 1)
        #expect(requests["/s/part4.ts"] == 2)
        await second.library.stop()
    }
}
