// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
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

    @Test func o20_theTracksOfMissingPartsAreNamed() throws {
        let address = try WebAddress("http://example.org/a")
        let parts = (0..<8).map { Part(address: address, identity: "\($0)") }
        let tracks = [
            TrackDescription(content: .pictures),
            TrackDescription(content: .sound, language: "eng"),
            TrackDescription(content: .sound, language: "eng", name: "Commentary"),
        ]
        let plan = MediaPlan(tracks: tracks.map { Track(parts: parts, description: $0) })
        func message(_ failed: [(track: Int, number: Int)]) throws -> String {
            var failures = PartFailures(of: plan.newRecords(), in: tracks)
            for (track, number) in failed {
                let error = DownloadError(.status, "404.")
                failures.append(.init(part: PartID(track: track, number: number), error: error))
            }
            return try #require(failures.error).message
        }
        #expect(
            try message([(2, 1), (0, 0), (0, 1), (1, 0)]).hasPrefix(
                "4 of 24 segments are missing (pictures: 1, 2; sound “English”: 1; "
                    + "sound “Commentary”: 2): 404."
            )
        )
        #expect(
            try message((0..<6).map { (0, $0) } + (0..<4).map { (1, $0) }).hasPrefix(
                "10 of 24 segments are missing (pictures: 1, 2, 3, 4, 5, 6; sound “English”: 1, 2 "
                    + "and 2 more): 404."
            )
        )
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
