// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
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
        frames: Int?,
        duration: Double? = nil,
        stated: [Double?]? = nil
    ) throws(MediaError) -> SectionComparison.Outcome {
        try SectionComparison(
            durations: stated ?? Array(repeating: 1, count: contents.count),
            contents: contents,
            joined: MediaProperties(
                duration: duration,
                tracks: [MediaTrack(kind: .video, codec: "h264", frames: frames)],
                container: "mp4"
            )
        ).run()
    }

    private let whole = SectionComparison.Outcome.whole(missing: [], leavesOutPictures: false)

    @Test func allPicturesAreWhole() throws {
        #expect(try run([second(0), second(1)], frames: 20) == whole)
        #expect(try run([second(0), second(1)], frames: 18) == whole)
        #expect(try run([second(0), second(1)], frames: nil) == whole)
    }

    @Test func missingPicturesAreAnError() {
        let contents = (0..<8).map { second($0) }
        let error = #expect(throws: MediaError.self) { try run(contents, frames: 50) }
        #expect(error?.code == .incomplete)
        #expect(error?.message.contains("50 of 80 pictures") == true)
    }

    @Test func picturesBeforeTheFirstDecodableOneAreNoLoss() throws {
        #expect(try run([second(0), second(1), second(2)], frames: 22) == whole)
    }

    @Test func twoUnitsMayBeOnePicture() throws {
        #expect(try run((0..<8).map { second($0) }, frames: 40 - 1) == whole)
        #expect(throws: MediaError.self) { try run((0..<8).map { second($0) }, frames: 60) }
    }

    @Test func aTrackThatBeginsLaterDividesTheSection() throws {
        let contents = (0..<4).map { second($0, track: $0 < 2 ? 1 : 2) }
        #expect(try run(contents, frames: 20) == .tracksChange(before: 2))
    }

    @Test func aSecondPictureIsLeftOutAndNamed() throws {
        var both = (0..<4).map { second($0) }
        for number in both.indices { both[number].tracks[2] = second(number).tracks[1] }
        #expect(try run(both, frames: 40) == .whole(missing: [], leavesOutPictures: true))
    }

    @Test func segmentsWithLessThanThePlaylistStatesAreNamed() throws {
        let contents = [second(0), second(1, pictures: 0), second(2, pictures: 4), second(3)]
        #expect(try run(contents, frames: 24) == .whole(missing: [1..<3], leavesOutPictures: false))
    }

    @Test func rarePicturesAreNotMissing() throws {
        let contents = (0..<6).map { second($0, pictures: $0 % 2) }
        #expect(try run(contents, frames: 3, duration: 6) == whole)
    }

    @Test func withoutContentsTheDurationsAreCompared() throws {
        let stated = [Double](repeating: 10, count: 10)
        #expect(try run([], frames: nil, duration: 95, stated: stated) == whole)
        #expect(
            try run([], frames: nil, duration: 80, stated: stated)
                == .whole(missing: [80..<100], leavesOutPictures: false)
        )
        #expect(try run([], frames: nil, duration: 80, stated: [10, nil]) == whole)
    }
}
