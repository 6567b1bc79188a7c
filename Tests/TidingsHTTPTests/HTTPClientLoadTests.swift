// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPClientLoadTests {
    let origin: OriginServer
    let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)

    init() throws { origin = try OriginServer() }

    @Test func concurrentTransfersKeepTheirBytesSeparate() async throws {
        let size = 3_000_000
        for seed in 0..<8 {
            try await origin.serve(["/\(seed)": ["size": .integer(size), "seed": .integer(seed)]])
        }
        let bodies = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for seed in 0..<8 {
                let request = try HTTPRequest(origin.address("/\(seed)"))
                group.addTask { [client] in
                    (seed, try await client.fetch(request, limit: size).body)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(bodies.count == 8)
        for (seed, body) in bodies {
            let again = HTTPRequest(
                try origin.address("/\(seed)"),
                range: HTTPByteRange(offset: Int64(size - 1000))
            )
            #expect(body.count == size)
            #expect(Array(body.suffix(1000)) == (try await client.fetch(again, limit: 1000).body))
        }
        #expect(Set(bodies.values.map { Array($0.prefix(100)) }).count == 8)
    }

    /// A test in a separate process, whose memory other tests do not change.
    @Test func memoryDoesNotGrowWithTheBody() async {
        await #expect(processExitsWith: .success) {
            let test = try HTTPClientLoadTests()
            try await test.origin.serve(["/a": ["size": 100_000_000]])
            let before = try HTTPClientLoadTests.residentBytes()
            let recorder = Recorder(limit: 0)
            let request = try HTTPRequest(test.origin.address("/a"))
            let transfer = try await test.client.perform(request, receiver: recorder)
            #expect(transfer.bodyBytes == 100_000_000)
            #expect(try HTTPClientLoadTests.residentBytes() - before < 32 << 20)
        }
    }

    /// A test in a separate process, whose descriptors other tests do not change.
    @Test func manyRequestsLeaveNoDescriptors() async {
        await #expect(processExitsWith: .success) {
            let test = try HTTPClientLoadTests()
            try await test.origin.serve(["/a": ["text": "x", "close": true]])
            let request = try HTTPRequest(test.origin.address("/a"))
            // The process has inherited descriptors of simultaneous tests.
            let before = try HTTPClientLoadTests.openDescriptors()
            for _ in 0..<200 { _ = try await test.client.fetch(request, limit: 1) }
            #expect(try HTTPClientLoadTests.openDescriptors() - before < 50)
        }
    }

    private static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
            separator: " "
        )
        return try #require(Int(pages[1])) * 4096
    }
}
