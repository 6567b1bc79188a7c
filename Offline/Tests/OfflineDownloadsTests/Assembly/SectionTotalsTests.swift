// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads
@testable import OfflineMedia
@testable import OfflineModel

/// Tests of the sums of all segments when each segment may lack only a little.
@Suite(.timeLimit(.minutes(15)))
struct SectionTotalsTests {
    /// Returns segments with pictures at these times after each start, and with seconds of sound.
    private func segments(
        _ count: Int,
        every distance: Double,
        pictures: [Double],
        sound: Double? = nil
    ) -> [SegmentContents] {
        (0..<count).map { number in
            var contents = SegmentContents()
            let start = Double(number) * distance
            for time in pictures {
                contents.tracks[1, default: .init(.video)]
                    .add(at: start + time, decodedAt: start + time)
            }
            if let sound {
                contents.tracks[2, default: .init(.audio)].add(from: start, to: start)
                contents.tracks[2]?.add(frameSeconds: sound)
            }
            return contents
        }
    }

    /// Returns the times of regular pictures.
    private func times(_ count: Int, rate: Double) -> [Double] {
        (0..<count).map { Double($0) / rate }
    }

    private func omissions(
        _ contents: [SegmentContents],
        stated: Double,
        gaps: [Double] = []
    ) throws -> SectionOmissions {
        let kinds = contents.first?.tracks.values.map(\.kind).sorted { $0.rawValue > $1.rawValue }
        let outcome = try SectionComparison(
            durations: Array(repeating: stated, count: contents.count),
            gaps: gaps,
            contents: contents,
            joined: MediaProperties(
                tracks: (kinds ?? []).map { MediaTrack(kind: $0, codec: "x") },
                container: "mp4"
            )
        ).run()
        guard case .whole(let omissions) = outcome else { throw CancellationError() }
        return omissions
    }

    private func notes(_ omissions: SectionOmissions) -> [String] {
        StreamNotes([
            JoinedSection(
                name: "0.mp4",
                path: "/0.mp4",
                start: 0,
                properties: MediaProperties(tracks: [], container: "mp4"),
                omissions: omissions
            )
        ]).text
    }

    @Test func o6_aFifthOfEachSegmentIsMissed() throws {
        let pictures = times(40, rate: 25)
        let contents = segments(20, every: 2, pictures: pictures, sound: 1.6)
        let text = "The server's stream has pictures and sound for 0:32 of 0:40."
        #expect(notes(try omissions(contents, stated: 2)) == [text])
    }

    @Test func o6_soundForHalfOfEachSegmentIsMissed() throws {
        let contents = segments(20, every: 2, pictures: [], sound: 1.1)
        let omissions = try omissions(contents, stated: 2)
        #expect(notes(omissions) == ["The server's stream has sound for 0:22 of 0:40."])
    }

    @Test func o6_shortSegmentsWithoutHolesAreComparedWithThePlaylist() throws {
        let contents = segments(20, every: 1.7, pictures: times(17, rate: 10))
        let omissions = try omissions(contents, stated: 2.04)
        #expect(notes(omissions) == ["The server's stream has pictures for 0:34 of 0:41."])
    }

    @Test func o6_theSumsOfAllSectionsCount() throws {
        let contents = segments(2, every: 2, pictures: times(40, rate: 25))
        let part = try omissions(contents, stated: 2)
        #expect(notes(part).isEmpty)
        let sections = (0..<10).map { number in
            JoinedSection(
                name: "\(number).mp4",
                path: "/\(number).mp4",
                start: 0,
                properties: MediaProperties(tracks: [], container: "mp4"),
                omissions: part
            )
        }
        #expect(StreamNotes(sections).text.count == 1)
    }

    @Test(arguments: [
        // These durations are whole, but rounded to seconds, to tenths, and to the next hundredth.
        (9.6, 10.0), (1.6, 2.0), (2.002, 2.0), (5.96, 6.0), (4.004, 4.01),
    ])
    func roundedDurationsAreWhole(real: Double, stated: Double) throws {
        let count = Int((real * 50).rounded())
        let pictures = times(count, rate: Double(count) / real)
        let contents = segments(50, every: real, pictures: pictures, sound: real)
        #expect(notes(try omissions(contents, stated: stated)).isEmpty)
    }

    @Test func aStillPictureIsNoHole() throws {
        let slides = [0, 0.1, 0.2, 0.7, 1.2, 1.35]
        let contents = segments(50, every: 2.1, pictures: slides)
        #expect(notes(try omissions(contents, stated: 2.1)).isEmpty)
    }

    @Test func lowRatesAreWhole() throws {
        let contents = segments(50, every: 4, pictures: times(4, rate: 1), sound: 4)
        #expect(notes(try omissions(contents, stated: 4)).isEmpty)
    }

    @Test func soundInOtherSegmentsIsWhole() throws {
        let pictures = times(50, rate: 25)
        let (less, more) = (0.8, 3.2)
        let contents = segments(20, every: 2, pictures: pictures, sound: less).enumerated().map {
            number,
            segment in
            var segment = segment
            if number % 2 == 1 { segment.tracks[2]?.add(frameSeconds: more - less) }
            return segment
        }
        #expect(notes(try omissions(contents, stated: 2)).isEmpty)
    }

    @Test func gapsLackNothing() throws {
        var contents = segments(12, every: 2, pictures: times(50, rate: 25), sound: 2)
        contents.removeSubrange(4..<8)
        var gaps = [Double](repeating: 0, count: 8)
        gaps[4] = 8
        #expect(notes(try omissions(contents, stated: 2, gaps: gaps)).isEmpty)
    }
}
