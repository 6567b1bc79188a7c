// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads
@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct TrackLengthsTests {
    /// Returns the notes on pictures, and on sound without a language, in English and in German.
    private func notes(
        _ seconds: [Double],
        stated: [Double] = [0, 0, 0, 0],
        isRecording: Bool = false,
        isPart: Bool = false
    ) throws(MediaError) -> [String] {
        let tracks =
            [TrackDescription(content: .pictures)]
            + [nil, "eng", "deu"].map { TrackDescription(content: .sound, language: $0) }
        var lengths = TrackLengths(tracks, isRecording: isRecording, isPart: isPart)
        for part in [0.25, 0.75] {
            lengths.add(
                seconds.enumerated().map { number, length in
                    let kind = number == 0 ? MediaTrack.Kind.video : .audio
                    return MediaProperties(
                        tracks: [MediaTrack(kind: kind, codec: "x", duration: length * part)],
                        container: "mp4"
                    )
                },
                stated: stated.map { $0 * part }
            )
        }
        return try lengths.notes()
    }

    @Test func equalTracksHaveNoNote() throws {
        #expect(try notes([100, 99.5, 100.4]).isEmpty)
        #expect(try notes([7_200, 7_140, 7_200]).isEmpty)
        #expect(try notes([100, 93, 99], isRecording: true).isEmpty)
        #expect(try notes([]).isEmpty)
    }

    @Test func o20_shorterTracksAreNamed() throws {
        #expect(try notes([100, 95]) == ["The server's stream has sound for 1:35 of 1:40."])
        #expect(
            try notes([40, 40, 40, 8])
                == ["The server's stream has sound in German for 0:08 of 0:40."]
        )
        #expect(
            try notes([40, 20], isRecording: true)
                == ["The server's stream has sound for 0:20 of 0:40."]
        )
    }

    @Test func o20_aTrackThatItsPlaylistEndsEarlyIsNamed() throws {
        #expect(
            try notes([2_400, 760], stated: [2_400, 761])
                == ["The server's stream has sound for 12:40 of 40:00."]
        )
        #expect(
            try notes([6, 40], stated: [6, 40])
                == ["The server's stream has pictures for 0:06 of 0:40."]
        )
    }

    @Test func o20_theTracksOfAPartMayHaveLongerSegments() throws {
        #expect(try notes([3, 10], stated: [3, 10], isPart: true).isEmpty)
        let error = #expect(throws: MediaError.self) {
            try notes([3, 4], stated: [3, 10], isPart: true)
        }
        #expect(error?.message.contains("has sound for 0:04 of 0:10") == true)
    }

    @Test func o6_aTrackThatHoldsLessThanItsPlaylistStatesIsAnError() {
        let error = #expect(throws: MediaError.self) { try notes([40, 20], stated: [40, 30]) }
        #expect(error?.code == .incomplete)
    }

    @Test(arguments: [([40, 20], "sound"), ([6, 40], "pictures"), ([10, 10, 40], "pictures")])
    func o6_aNeededTrackThatIsMuchShorterIsAnError(seconds: [Double], name: String) {
        let error = #expect(throws: MediaError.self) { try notes(seconds) }
        #expect(error?.code == .incomplete)
        #expect(error?.message.contains("has \(name) for") == true)
    }
}
