// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct StreamParallelismTests {
    private static let segments = 40

    /// Returns a library whose server has a stream of 40 segments under `/s/`.
    ///
    /// The segments from `first` on wait at the gate `rest`.
    private func makeTest(gateFrom first: Int) async throws -> TestLibrary {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try SampleMedia.makeStream(in: folder, [])
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1"]
        var routes: [String: JSON] = ["/s/": ["directory": .text(folder)]]
        for number in 0..<Self.segments {
            lines += ["#EXTINF:1,", "part0.ts?\(number)"]
            if number >= first {
                routes["/s/part0.ts?\(number)"] = [
                    "file": .text(folder + "/part0.ts"), "gate": "rest",
                ]
            }
        }
        lines += ["#EXT-X-ENDLIST", ""]
        routes["/s/long.m3u8"] = ["text": .text(lines.joined(separator: "\n"))]
        try await test.origin.serve(routes)
        return test
    }

    private func running(_ test: TestLibrary) async throws -> Int {
        try await test.origin.log().count { !$0.finished }
    }

    @Test func aStreamBeginsWithFourRequests() async throws {
        let test = try await makeTest(gateFrom: 0)
        _ = try await test.library.enqueue(try test.request("/s/long.m3u8"))
        await test.start()
        try await test.origin.waitForRequests(4, atGate: "rest")
        #expect(try await running(test) == 4)
        try await test.origin.openGate("rest")
        await test.library.stop()
    }

    @Test func afterFourSegmentsTwiceAsManyRequestsRun() async throws {
        let test = try await makeTest(gateFrom: 4)
        _ = try await test.library.enqueue(try test.request("/s/long.m3u8"))
        await test.start()
        try await test.origin.waitForRequests(8, atGate: "rest")
        #expect(try await running(test) == 8)
        try await test.origin.openGate("rest")
        await test.library.stop()
    }

    @Test func o22_theLimitOfAHostHoldsForAStream() async throws {
        let test = try await makeTest(gateFrom: 8)
        _ = try await test.library.change([.perHost: "6"])
        _ = try await test.library.enqueue(try test.request("/s/long.m3u8"))
        await test.start()
        try await test.origin.waitForRequests(6, atGate: "rest")
        #expect(try await running(test) == 6)
        try await test.origin.openGate("rest")
        await test.library.stop()
    }
}
