// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources

/// Tests that a third source needs only its own type, and no change to other parts of a download.
@Suite(.timeLimit(.minutes(15)))
struct ListSourceTests {
    private let parts = (0..<6).map { "part\($0).ts" }

    private func open(
        in folder: TemporaryFolder? = nil,
        origin: OriginServer? = nil
    ) throws -> TestLibrary {
        try TestLibrary(in: folder, origin: origin) {
            $0.sources = MediaSources([ListSource(), HLSSource(), FileSource()])
        }
    }

    /// Returns a library whose origin server has a list of six parts at `/s/list`.
    private func makeTest(_ tracks: [[String]]) async throws -> TestLibrary {
        let test = try open()
        let folder = test.folder.path + "/s"
        try SampleMedia.makeStream(in: folder, [])
        let list = "PARTS\n" + tracks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        try await test.origin.serve([
            "/s/": ["directory": .text(folder)], "/s/list": ["text": .text(list)],
        ])
        return test
    }

    @Test func aListBecomesOneFile() async throws {
        let test = try await makeTest([parts])
        let item = try await test.get("/s/list")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.kind == .list)
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 60)
        let requests = try await test.requests()
        for path in parts + ["list"] { #expect(requests["/s/\(path)"] == 1) }
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
        await test.library.stop()
    }

    @Test func o3_anInterruptedListResumesWithItsSource() async throws {
        let first = try await makeTest([parts])
        try await first.origin.serve(["/s/part4.ts": ["status": 404, "text": "no"]])
        let failed = try await first.get("/s/list")
        #expect(failed.failure?.message.hasPrefix("1 of 6 segments are missing (5)") == true)
        await first.library.stop()
        try await first.origin.serve([
            "/s/part4.ts": ["file": .text(first.folder.path + "/s/part4.ts")]
        ])
        let second = try open(in: first.folder, origin: first.origin)
        let item = try await second.get("/s/list")
        #expect(item.id == failed.id)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let requests = try await second.requests()
        for path in parts { #expect(requests["/s/\(path)"] == (path == "part4.ts" ? 2 : 1)) }
        await second.library.stop()
    }

    @Test func anItemKeepsTheSourceThatRecognizedIt() async throws {
        let test = try await makeTest([parts])
        try await test.origin.serve(["/s/part4.ts": ["status": 404, "text": "no"]])
        _ = try await test.get("/s/list")
        try await test.origin.serve(["/s/list": ["text": "Back soon"]])
        let failed = try await test.get("/s/list")
        #expect(failed.kind == .list)
        #expect(failed.failure?.code == "changed")
        let message = failed.failure?.message
        #expect(message?.hasPrefix("This address no longer returns a list of parts.") == true)
        await test.library.stop()
    }

    @Test func severalTracksBecomeOneFile() async throws {
        let test = try await makeTest([parts, parts, Array(parts[..<3])])
        let item = try await test.get("/s/list")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let path = try #require(test.library.path(of: item))
        #expect(try SampleMedia.frames(of: path) == 60)
        #expect(try await MediaProbe().probe(path).tracks.map(\.kind) == [.video, .audio, .audio])
        #expect(try await test.requests()["/s/part0.ts"] == 3)
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
        await test.library.stop()
    }

    @Test func aListWithoutPartsFails() async throws {
        let test = try await makeTest([])
        let item = try await test.get("/s/list")
        #expect(item.failure?.code == "notMedia", "\(item.failure?.message ?? "")")
        await test.library.stop()
    }

    @Test func otherSourcesAreStillRecognized() async throws {
        let test = try await makeTest([parts])
        let stream = try await test.get("/s/stream.m3u8")
        #expect(stream.kind == .stream && stream.state == .ready)
        let file = try await test.get("/s/part0.ts")
        #expect(file.kind == .file && file.state == .ready)
        await test.library.stop()
    }
}
