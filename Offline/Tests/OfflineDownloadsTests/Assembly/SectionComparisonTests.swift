// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads
@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct SectionComparisonTests {
    /// Returns a segment of ten pictures in a second, on a track.
    private func second(_ number: Int, pictures: Int = 10, track: Int = 1) -> SegmentContents {
        var contents = SegmentContents()
        for picture in 0..<pictures {
            let time = Double(number) + Double(picture) / 10
            contents.tracks[track, default: .init(.video)].add(from: time, to: time)
        }
        return contents
    }

    private func run(
        _ contents: [SegmentContents],
        kept: Double?,
        start: Double = 0,
        duration: Double? = nil,
        stated: [Double?]? = nil,
        gaps: [Double] = []
    ) throws(MediaError) -> SectionComparison.Outcome {
        try SectionComparison(
            durations: stated ?? Array(repeating: 1, count: contents.count),
            gaps: gaps,
            contents: contents,
            joined: MediaProperties(
                duration: duration,
                tracks: [MediaTrack(kind: .video, codec: "h264", start: start, duration: kept)],
                container: "mp4"
            )
        ).run()
    }

    /// Returns the times without pictures, or nil if the section is divided.
    private func missingTimes(_ outcome: SectionComparison.Outcome) -> [Range<Double>]? {
        guard case .whole(let omissions) = outcome else { return nil }
        return omissions.times[.video] ?? []
    }

    @Test func picturesToTheEndAreWhole() throws {
        #expect(missingTimes(try run([second(0), second(1)], kept: 2)) == [])
        #expect(missingTimes(try run([second(0), second(1)], kept: nil)) == [])
    }

    @Test func picturesThatEndEarlyAreAnError() {
        let contents = (0..<8).map { second($0) }
        let error = #expect(throws: MediaError.self) { try run(contents, kept: 5) }
        #expect(error?.code == .incomplete)
        #expect(error?.message.contains("0:05 of 0:07") == true)
    }

    @Test func picturesBeforeTheFirstDecodableOneAreNoLoss() throws {
        #expect(missingTimes(try run((0..<8).map { second($0) }, kept: 3, start: 5)) == [])
    }

    @Test func aJumpOfTheTimesIsNoContent() throws {
        var contents = (0..<4).map { second($0) }
        contents[1].tracks[1]?.add(from: 90_000, to: 90_000)
        #expect(missingTimes(try run(contents, kept: 4)) == [])
    }

    @Test func tracksThatBeginLaterDivideTheSection() throws {
        let contents = (0..<6).map { second($0, track: $0 / 2) }
        #expect(try run(contents, kept: 2) == .tracksChange(before: [2, 4]))
        let again = (0..<6).map { second($0, track: $0 / 2 % 2) }
        #expect(try run(again, kept: 2) == .tracksChange(before: [2, 4]))
    }

    @Test func aSecondPictureIsLeftOutAndNamed() throws {
        var both = (0..<4).map { second($0) }
        for number in both.indices { both[number].tracks[2] = second(number).tracks[1] }
        guard case .whole(let omissions) = try run(both, kept: 4) else {
            Issue.record("The section is divided.")
            return
        }
        #expect(omissions.leavesOutPictures && omissions.times.isEmpty)
    }

    @Test func segmentsWithLessThanThePlaylistStatesAreNamed() throws {
        let contents = [second(0), second(1, pictures: 0), second(2, pictures: 4), second(3)]
        #expect(missingTimes(try run(contents, kept: 4)) == [1..<3])
    }

    @Test(arguments: [
        ([0, 1, 1, 3], 2..<3), ([0, 1, 2, 2], 3..<4), ([0, 0], nil), ([0, 0, 0, 0], nil),
        ([5, 6, 5, 6], nil), ([0, 1, 9, 3], 2..<3), ([0, 9, 8, 3, 4], 1..<3),
        ([0, 1, 2, 0], nil), ([0, 1, 80, 81], nil),
    ])
    func o6_aSegmentThatAnotherOneReplacesIsMissing(
        times: [Int],
        missing: Range<Double>?
    ) throws {
        let outcome = try run(times.map { second($0) }, kept: Double(times.count))
        #expect(missingTimes(outcome) == (missing.map { [$0] } ?? []))
    }

    @Test func gapsAreNoLoss() throws {
        let contents = [second(0), second(5), second(6)]
        #expect(missingTimes(try run(contents, kept: 7, gaps: [0, 4, 0])) == [])
    }

    @Test func whatFollowsAGapHasItsTime() throws {
        let contents = [second(0), second(5, pictures: 3), second(6)]
        let outcome = try run(contents, kept: 7, gaps: [0, 4, 0])
        #expect(missingTimes(outcome) == [5..<6])
    }

    @Test func theTimeOfAGapReplacesNoContent() {
        let contents = (0..<4).map { second($0) } + (8..<12).map { second($0) }
        let error = #expect(throws: MediaError.self) {
            try run(contents, kept: 8, gaps: [0, 0, 0, 0, 4, 0, 0, 0])
        }
        #expect(error?.code == .incomplete)
    }

    @Test func rarePicturesAreNotMissing() throws {
        let contents = (0..<6).map { second($0, pictures: $0 % 2) }
        #expect(missingTimes(try run(contents, kept: 6, duration: 6)) == [])
    }

    @Test func withoutContentsTheDurationsAreCompared() throws {
        let stated = [Double](repeating: 10, count: 10)
        #expect(missingTimes(try run([], kept: nil, duration: 95, stated: stated)) == [])
        let outcome = try run([], kept: nil, duration: 80, stated: stated)
        #expect(missingTimes(outcome) == [80..<100])
        #expect(missingTimes(try run([], kept: nil, duration: 80, stated: [10, nil])) == [])
    }
}
