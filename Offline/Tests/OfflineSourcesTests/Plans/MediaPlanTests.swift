// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct MediaPlanTests {
    /// Returns a plan with the given part identities in each track.
    private func plan(_ tracks: [String]..., host: String = "example.org") throws -> MediaPlan {
        MediaPlan(
            tracks: try tracks.map { identities in
                Track(
                    parts: try identities.map {
                        Part(address: try WebAddress("http://\(host)/\($0)"), identity: $0)
                    }
                )
            }
        )
    }

    @Test func partsAreNumberedInEachTrack() throws {
        let records = try plan(["a", "b"], ["c"]).newRecords()
        #expect(
            records.map(\.id) == [
                PartID(track: 0, number: 0), PartID(track: 0, number: 1),
                PartID(track: 1, number: 0),
            ]
        )
        #expect(records.map(\.fileName) == ["0-0", "0-1", "1-0"])
    }

    @Test func recordedFilesAreKeptWithNewAddresses() throws {
        var recorded = try plan(["a", "b"]).newRecords()
        recorded[1].size = 7
        recorded[1].isProven = true
        let kept = try #require(try plan(["a", "b"], host: "new.example").keeping(recorded))
        #expect(kept.map(\.size) == [nil, 7])
        #expect(kept.map(\.isProven) == [false, true])
        #expect(kept.map(\.part.address.host) == ["new.example", "new.example"])
        #expect(kept.map(\.fileName) == recorded.map(\.fileName))
    }

    @Test func aTrackWithoutRecordsIsNew() throws {
        var recorded = try plan(["a", "b"]).newRecords()
        recorded[0].size = 7
        let kept = try #require(try plan(["a", "b"], ["c"]).keeping(recorded))
        #expect(kept.map(\.size) == [7, nil, nil])
        #expect(kept.map(\.fileName) == ["0-0", "0-1", "1-0"])
        #expect(try plan(["a", "b"]).keeping(kept) == nil)
    }

    @Test func anotherQueryKeepsThePartAndMarksIt() throws {
        let recorded = try plan(["a", "b?v=1", "c?v=1"]).newRecords()
        let kept = try #require(try plan(["a", "b?v=2", "c?v=1"]).keeping(recorded))
        #expect(kept.map(\.hasOtherQuery) == [false, true, false])
        #expect(kept.map(\.part.identity) == ["a", "b?v=2", "c?v=1"])
    }

    @Test func subtitlesOnDiskAreKeptByThemselves() throws {
        var next = try plan(["a"], ["x", "y"])
        for index in 0...1 { next.tracks[1].parts[index].isText = true }
        var recorded = try plan(["a"], ["x", "z"]).newRecords()
        for index in recorded.indices { recorded[index].size = 7 }
        let media = try #require(next.keeping([recorded[0]]))
        #expect(media.map(\.size) == [7, nil, nil])
        let all = next.keepingTexts(Array(recorded.dropFirst()), in: media)
        #expect(all.map(\.size) == [7, 7, nil])
        #expect(next.keepingTexts([], in: media) == media)
    }

    @Test func aSegmentOnDiskIsNoGap() throws {
        var recorded = try plan(["a", "b"]).newRecords()
        recorded[0].size = 7
        recorded[1].part.isGap = true
        var later = try plan(["a", "b"])
        later.tracks[0].parts[0].isGap = true
        let kept = try #require(later.keeping(recorded))
        #expect(kept.map(\.part.isGap) == [false, false])
        #expect(kept.map(\.isOutstanding) == [false, true])
        later.tracks[0].parts[1].isGap = true
        #expect(try #require(later.keeping(recorded)).map(\.isOutstanding) == [false, false])
    }

    @Test func recordsOfOtherMediaAreNotKept() throws {
        let recorded = try plan(["a", "b"]).newRecords()
        #expect(try plan(["a", "c"]).keeping(recorded) == nil)
        #expect(try plan(["a"]).keeping(recorded) == nil)
        #expect(try plan(["a", "b", "c"]).keeping(recorded) == nil)
        #expect(try plan(["a"], ["b"]).keeping(recorded) == nil)
        var header = try plan(["a", "b"])
        header.tracks[0].parts[0].isInitialization = true
        #expect(header.keeping(recorded) == nil)
    }
}
