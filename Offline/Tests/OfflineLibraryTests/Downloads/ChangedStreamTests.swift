// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of streams whose segments change on the server while a download is interrupted.
@Suite(.timeLimit(.minutes(15)))
struct ChangedStreamTests {
    typealias Route = [String: JSON]

    private static let startedOver = "Started over: the server's stream changed."

    /// Returns a library whose server has two versions of a stream in folders.
    ///
    /// The server starts with the old version.
    private func makeTest(_ options: [String] = [], _ route: Route) async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeStream(in: test.folder.path + "/old", options)
        let other = ["-vf", "negate", "-preset", "medium"]
        try SampleMedia.makeStream(in: test.folder.path + "/new", options + other)
        try await serve("old", route, in: test)
        return test
    }

    /// Fails a download with one missing segment.
    private func fail(_ test: TestLibrary) async throws {
        try await test.origin.serve(["/s/part2.ts": ["status": 404, "text": "no"]])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.failure?.code == "missingSegments", "\(failed.failure?.message ?? "")")
    }

    private func serve(_ name: String, _ route: Route, in test: TestLibrary) async throws {
        let folder = "\(test.folder.path)/\(name)"
        for file in SystemFile.names(in: folder) {
            let served = route.merging(["file": .text("\(folder)/\(file)")]) { $1 }
            try await test.origin.serve(["/s/\(file)": .object(served)])
        }
    }

    /// Retries the download and expects the same file as in a library without an earlier version.
    private func retry(_ test: TestLibrary) async throws -> MediaItem {
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let fresh = try TestLibrary(origin: test.origin)
        let whole = try await fresh.get("/s/stream.m3u8")
        #expect(try test.bytes(of: item) == fresh.bytes(of: whole))
        await fresh.library.stop()
        await test.library.stop()
        return item
    }

    @Test(
        arguments: [
            (["etag": "\"v1\""], ["etag": "\"v2\""]), (["etag": nil], ["etag": nil]),
            (
                ["etag": nil, "lastModified": "Tue, 01 Jan 2030 00:00:00 GMT"],
                ["etag": nil, "lastModified": "Wed, 02 Jan 2030 00:00:00 GMT"]
            ),
        ] as [(Route, Route)]
    )
    func o5_otherSegmentsStartOver(old: Route, new: Route) async throws {
        let test = try await makeTest([], old)
        try await fail(test)
        try await serve("new", new, in: test)
        #expect(try await retry(test).note == Self.startedOver)
    }

    /// Pads the segments of both versions to the same lengths.
    private func pad(_ test: TestLibrary) throws {
        let paths = ["old", "new"].map { "\(test.folder.path)/\($0)" }
        for name in SystemFile.names(in: paths[0]) where name.hasSuffix(".ts") {
            let files = paths.map { URL(filePath: "\($0)/\(name)") }
            let all = try files.map { try Data(contentsOf: $0) }
            let length = all.map(\.count).max() ?? 0
            let empty = Data([0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184))
            for (file, bytes) in zip(files, all) {
                let missing = (length - bytes.count) / empty.count
                try (bytes + repeatElement(empty, count: missing).joined()).write(to: file)
            }
        }
    }

    private static let weakNames: [Route] = [
        ["etag": nil], ["etag": nil, "lastModified": "Tue, 01 Jan 2030 00:00:00 GMT"],
        ["etag": nil, "framing": "chunked"],
    ]

    @Test(arguments: weakNames)
    func o5_otherSegmentsOfTheSameLengthStartOver(route: Route) async throws {
        let test = try await makeTest([], route)
        try pad(test)
        try await fail(test)
        try await serve("new", route, in: test)
        #expect(try await retry(test).note == Self.startedOver)
    }

    @Test(arguments: weakNames)
    func o5_ofSegmentsWithoutATagAFewAreCompared(route: Route) async throws {
        let test = try await makeTest([], route)
        try await fail(test)
        try await serve("old", route, in: test)
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready && item.note == nil, "\(item.failure?.message ?? "")")
        let requests = try await test.requests()
        let counts = [0, 1, 3, 4, 5].map { requests["/s/part\($0).ts"] ?? 0 }
        // Each part has the same number of requests, and a few parts are fetched once more.
        let least = counts.min() ?? 0
        #expect(counts.map { $0 - least }.sorted() == [0, 0, 1, 1, 1], "\(counts)")
        await test.library.stop()
    }

    @Test func o5_aServerThatOnlyRenamesItsVersionsKeepsTheSegments() async throws {
        let test = try await makeTest([], ["etag": "\"v1\""])
        try await fail(test)
        try await serve("old", ["etag": "\"v2\""], in: test)
        #expect(try await retry(test).note == nil)
    }

    @Test func o5_unchangedSegmentsAreNotFetchedAgain() async throws {
        let test = try await makeTest([], ["etag": "W/\"v1\""])
        try await fail(test)
        try await serve("old", ["etag": "W/\"v1\""], in: test)
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready && item.note == nil, "\(item.failure?.message ?? "")")
        let requests = try await test.requests()
        for number in [0, 1, 3, 4, 5] { #expect(requests["/s/part\(number).ts"] == 1) }
        let asked = try await test.origin.log().filter { $0.status == 304 }
        #expect(Set(asked.map(\.path)).count == 5)
        await test.library.stop()
    }

    @Test func o5_rangesOfTwoVersionsAreNeverJoined() async throws {
        let test = try await makeTest(["-hls_flags", "single_file"], ["etag": "\"v1\""])
        let name = try #require(
            SystemFile.names(in: test.folder.path + "/old").first { $0.hasSuffix(".ts") }
        )
        let route = { (folder: String, tag: String) -> JSON in
            [
                "file": .text("\(test.folder.path)/\(folder)/\(name)"), "etag": .text(tag),
                "times": 2,
            ]
        }
        try await test.origin.serve([
            "/s/\(name)": .list([route("old", "\"v1\""), route("new", "\"v2\"")])
        ])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.state == .failed)
        #expect(failed.failure?.message.contains("changed on the server") == true)
        try await serve("new", ["etag": "\"v2\""], in: test)
        #expect(try await retry(test).note == Self.startedOver)
    }
}
