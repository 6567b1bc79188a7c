// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineMedia
@testable import OfflineStore

@Suite struct SubtitleIndexTests {
    private static let names = [
        "A.mp4", "A.srt", "A.en.vtt", "A.en.mp4", "A.en.sdh.2.vtt", "A.b.mkv", "A.b.de.srt",
        "A.b.de.forced.1.vtt", "B.mp4", "B.mkv", "B.en.vtt", "note.txt", "C.en.vtt", "D.MP4",
        "D.pt-BR.SRT",
    ]

    @Test(arguments: names)
    func o30_aFilmHasTheSameSubtitlesAsInItsFolder(_ film: String) {
        let expected = SubtitleFile.files(of: film, among: Self.names)
        #expect(SubtitleIndex(Self.names).files(of: film) == expected)
    }

    @Test func theSampleHasSubtitlesOfSeveralFilms() {
        let index = SubtitleIndex(Self.names)
        let numbers = Self.names.map { index.files(of: $0).count }
        #expect(numbers.filter { $0 > 0 }.count >= 5)
    }
}
