// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct PartFailuresTests {
    /// Returns the records of a header and `count` segments.
    private func records(_ count: Int) throws -> [PartRecord] {
        let address = try WebAddress("http://example.org/a")
        let header = Part(address: address, identity: "h", isInitialization: true)
        let segments = (0..<count).map { Part(address: address, identity: "\($0)") }
        return MediaPlan(tracks: [Track(parts: [header] + segments)]).newRecords()
    }

    private func failures(_ numbers: [Int], of count: Int) throws -> PartFailures {
        var failures = PartFailures(of: try records(count))
        for number in numbers {
            let error = DownloadError(.status, "404.")
            failures.append(.init(part: PartID(track: 0, number: number), error: error))
        }
        return failures
    }

    @Test func withoutAFailureThereIsNoError() throws {
        #expect(try failures([], of: 3).error == nil)
    }

    @Test func o6_missingPartsAreListedInOrderAndCountedWithoutTheHeader() throws {
        let error = try #require(try failures([3, 0, 1], of: 3).error)
        #expect(error.code == .missingSegments)
        #expect(error.message.hasPrefix("3 of 4 segments are missing (the header, 1, 3): 404."))
    }

    @Test func aLongListIsShortened() throws {
        let error = try #require(try failures(Array(1...20), of: 30).error)
        #expect(
            error.message.hasPrefix(
                "At least 20 of 31 segments are missing (1, 2, 3, 4, 5, 6, 7, 8 and 12 more)"
            )
        )
    }
}
