// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct SubtitleFileTests {
    @Test(arguments: [
        ("A.vtt", nil, "Subtitles"), ("A.srt", nil, "Subtitles"), ("A.en.vtt", "en", "English"),
        ("A.en.2.vtt", "en", "English (2)"), ("A.EN.SRT", "en", "English"),
        ("A.pt-BR.srt", "pt-br", "Portuguese (BR)"), ("A.und.vtt", nil, "Subtitles"),
        ("A.en.forced.srt", "en", "English (forced)"),
        ("A.en.sdh.2.vtt", "en", "English (sdh, 2)"),
    ])
    func theNameHasTheLanguage(_ name: String, _ language: String?, _ title: String) {
        let file = SubtitleFile(name, beside: "A.mp4")
        #expect(file?.language == language)
        #expect(file?.title == title)
    }

    @Test(arguments: [
        "A.mp4", "B.vtt", "A.txt", "A..vtt", "A", "Avtt", "A.en.x.vtt", "A.english.vtt",
        "A.en.vtt.vtt", "AB.en.vtt", "A.en/../../x.vtt", "A.<b>.vtt", "a.vtt", "A.vtt.part",
    ])
    func otherNamesAreNoSubtitles(_ name: String) {
        #expect(SubtitleFile(name, beside: "A.mp4") == nil)
    }

    @Test func subtitlesOfAFilmWithALongerNameAreItsOwn() {
        let names = ["A.mp4", "A.en.mp4", "A.en.vtt", "A.de.vtt", "A.srt", "A.en.de.vtt"]
        #expect(SubtitleFile.files(of: "A.mp4", among: names).map(\.name) == ["A.de.vtt", "A.srt"])
        #expect(
            SubtitleFile.files(of: "A.en.mp4", among: names).map(\.name)
                == ["A.en.de.vtt", "A.en.vtt"]
        )
        #expect(SubtitleFile.files(of: "A.txt", among: names).isEmpty)
    }

    @Test func theNumberOfFilesIsLimited() {
        let names = (0..<1_000).map { "A.en.\($0).vtt" }
        #expect(SubtitleFile.files(of: "A.mp4", among: names).count == SubtitleFile.limit)
    }

    @Test func subRipBecomesWebVTT() throws {
        let file = try #require(SubtitleFile("A.srt", beside: "A.mp4"))
        let text =
            "1\r\n00:00:01,500 --> 00:00:02,000\r\n{\\an8}<i>One</i> <script>x</script>\r\n\r\n"
            + "2\r\n00:00:03,000 --> 00:00:04,000\r\nTwo\r\n"
        let expected =
            "WEBVTT\n\n00:00:01.500 --> 00:00:02.000\n<i>One</i> x\n\n"
            + "00:00:03.000 --> 00:00:04.000\nTwo\n"
        let wide = try #require(text.data(using: .utf16))
        for bytes in [[UInt8](text.utf8), [UInt8](wide)] {
            #expect(String(decoding: try file.webVTT(of: bytes), as: UTF8.self) == expected)
        }
    }

    @Test func otherContentIsNoSubtitles() throws {
        for name in ["A.srt", "A.vtt"] {
            let file = try #require(SubtitleFile(name, beside: "A.mp4"))
            #expect { try file.webVTT(of: [UInt8]("<html>".utf8)) } throws: {
                ($0 as? MediaError)?.code == .notMedia
            }
        }
    }
}
