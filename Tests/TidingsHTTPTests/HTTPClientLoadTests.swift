// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(5)))
struct HTTPClientLoadTests {
    let origin: OriginServer
    let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any))

    init() throws { origin = try OriginServer() }

    @Test func eightTransfersAtOnceKeepTheirBytesApart() async throws {
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

    @Test func memoryDoesNotGrowWithTheBody() async throws {
        try await origin.serve(["/a": ["size": 300_000_000]])
        let before = try residentBytes()
        let recorder = Recorder(limit: 0)
        let request = try HTTPRequest(origin.address("/a"))
        let transfer = try await client.perform(request, receiver: recorder)
        #expect(transfer.bodyBytes == 300_000_000)
        #expect(try residentBytes() - before < 64 << 20)
    }

    @Test func manyRequestsLeaveNoDescriptors() async throws {
        try await origin.serve(["/a": ["text": "x", "close": true]])
        let request = try HTTPRequest(origin.address("/a"))
        for _ in 0..<200 { _ = try await client.fetch(request, limit: 1) }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(open < 200)
    }

    private func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
            separator: " "
        )
        return try #require(Int(pages[1])) * 4096
    }
}
