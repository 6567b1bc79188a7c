// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel

/// The places of the requests for parts, keys and checks.
@Suite(.timeLimit(.minutes(15)))
struct RequestPlacesTests {
    private static let host = "127.0.0.1"

    private func makeTest(
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> TestLibrary {
        let test = try TestLibrary { $0.clock = clock }
        try SampleMedia.makeStream(in: test.folder.path + "/s", [])
        return test
    }

    private func hosts(_ test: TestLibrary) async throws -> HostConnections {
        await test.start()
        return await test.library.queue.environment.hosts
    }

    private func playlist(_ names: String..., before: String = "") -> JSON {
        let lines = names.map { "#EXTINF:1,\n\($0)\n" }
        return [
            "text": .text(
                "#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(before)" + lines.joined()
                    + "#EXT-X-ENDLIST\n"
            ),
            "type": "application/vnd.apple.mpegurl",
        ]
    }

    private func segment(_ number: Int, of test: TestLibrary) -> JSON {
        .text("\(test.folder.path)/s/part\(number).ts")
    }

    @Test func o22_aRedirectedSegmentCountsAtTheServerThatAnswers() async throws {
        let test = try makeTest()
        let target = test.origin.base + "/elsewhere.ts"
        try await test.origin.serve([
            "/s/stream.m3u8": playlist("part0.ts"), "/s/part0.ts": ["redirect": .text(target)],
            "/elsewhere.ts": ["file": segment(0, of: test), "gate": "rest", "gateAfter": 1_000],
        ])
        let hosts = try await hosts(test)
        let progress = test.library.messages.messages(of: DownloadProgressed.self).values
        let text = test.origin.base.replacing(Self.host, with: "localhost") + "/s/stream.m3u8"
        _ = try await test.library.enqueue(DownloadRequest(try ItemOrigin(text: text)))
        for await update in progress where update.progress.receivedBytes > 0 { break }
        #expect(hosts.free(Self.host) == 3 && hosts.free("localhost") == 4)
        try await test.origin.openGate("rest")
        await test.library.stop()
    }

    @Test func o22_aKeyCountsAtItsServer() async throws {
        let test = try makeTest()
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"
        try await test.origin.serve([
            "/s/stream.m3u8": playlist("part0.ts", before: key),
            "/s/key": ["text": "0123456789abcdef", "gate": "key"],
        ])
        let hosts = try await hosts(test)
        _ = try await test.library.enqueue(try test.request("/s/stream.m3u8"))
        try await test.origin.waitForRequests(atGate: "key")
        #expect(hosts.free(Self.host) == 3)
        try await test.origin.openGate("key")
        await test.library.stop()
    }

    @Test func o22_aCheckOfASegmentCountsAtItsServer() async throws {
        let test = try makeTest()
        let kept: JSON = ["file": segment(0, of: test), "etag": "\"v1\"", "gate": "check"]
        try await test.origin.serve([
            "/s/stream.m3u8": playlist("part0.ts", "part1.ts"),
            "/s/part0.ts": .list([["file": segment(0, of: test), "etag": "\"v1\""], kept]),
        ])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.failure?.code == "missingSegments", "\(failed.failure?.message ?? "")")
        let hosts = try await hosts(test)
        _ = try await test.library.retry(failed.id)
        try await test.origin.waitForRequests(atGate: "check")
        #expect(hosts.free(Self.host) == 3)
        try await test.origin.openGate("check")
        await test.library.stop()
    }

    @Test func o22_withOnePlaceAnEncryptedStreamArrives() async throws {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data((0..<16).map { UInt8($0) }).write(to: URL(filePath: folder + "/key"))
        try Data("key\n\(folder)/key\n".utf8).write(to: URL(filePath: folder + "/info"))
        try SampleMedia.makeStream(in: folder, ["-hls_key_info_file", "info"])
        try await test.origin.serve(["/s/": ["directory": .text(folder)]])
        _ = try await test.library.change([.perHost: "1"])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        await test.library.stop()
    }

    @Test func o25_aRecordingBeginsWithoutAPlace() async throws {
        let test = try makeTest(clock: SkippingClock())
        try await test.origin.serve([
            "/s/": ["directory": .text(test.folder.path + "/s")],
            "/s/live.m3u8": .list([
                [
                    "text": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart0.ts\n",
                    "times": 2,
                ], ["status": 404, "text": ""],
            ]),
        ])
        _ = try await test.library.change([.perHost: "1"])
        let place = try await hosts(test).enter(Self.host)
        var request = try test.request("/s/live.m3u8")
        request.live = LiveRecording()
        let item = try await test.get(request)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        place.leave()
        await test.library.stop()
    }

    @Test func o22_aFileInPlaceOfALiveStreamWaitsForItsPlace() async throws {
        let test = try makeTest()
        try await test.origin.serve(["/file.zip": ["size": 100_000]])
        _ = try await test.library.change([.perHost: "1"])
        let place = try await hosts(test).enter(Self.host)
        var request = try test.request("/file.zip")
        request.live = LiveRecording()
        let (test2, live) = (test, request)
        async let ready = test2.get(live)
        _ = try await test.origin.log(finished: 1)
        place.leave()
        #expect(try await ready.state == .ready)
        #expect(try await test.requests()["/file.zip"] == 2)
        await test.library.stop()
    }
}
