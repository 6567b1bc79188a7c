// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct ChapterTests {
    @Test func chaptersAreInOrderAndWithinTheFilm() {
        let found = [
            (start: 60.0, title: "Three"), (start: 0, title: "One"), (start: -1, title: "Before"),
            (start: 60.0004, title: "Again"), (start: .nan, title: "Never"), (start: 20, title: ""),
            (start: 100, title: "After"), (start: .infinity, title: "Never"),
        ]
        #expect(
            Chapter.list(found, before: 100) == [
                Chapter(start: 0, title: "One"), Chapter(start: 20, title: "Chapter 2"),
                Chapter(start: 60, title: "Three"),
            ]
        )
    }

    @Test func theNumberAndTheTitlesAreLimited() {
        let long = String(repeating: "x", count: 10_000)
        let found = (0..<5_000).map { (start: Double($0), title: "\(long)\u{7}\n[CHAPTER]") }
        let chapters = Chapter.list(found)
        #expect(chapters.count == Chapter.limit)
        #expect(chapters.allSatisfy { $0.title == String(repeating: "x", count: Title.longest) })
    }

    @Test func o11_aTitleStaysOneValueOfItsFile() {
        let title = "a=b;c#d\\e\n[CHAPTER]\nSTART=5"
        let chapters = [Chapter(start: 1.5, title: title), Chapter(start: 2, title: "Two")]
        let expected = """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1500
            title=Beginning
            [CHAPTER]
            TIMEBASE=1/1000
            START=1500
            END=2000
            title=a\\=b\\;c\\#d\\\\e [CHAPTER] START\\=5
            [CHAPTER]
            TIMEBASE=1/1000
            START=2000
            END=9000
            title=Two

            """
        #expect(String(decoding: chapters.metadata(duration: 9), as: UTF8.self) == expected)
    }

    @Test func theTextsOfWebVTTAreTitles() throws {
        let text =
            "WEBVTT\n\n00:00.000 --> 00:10.000\n<b>One</b> &amp; &lt;1&gt;\n\n"
            + "00:10.000 --> 00:20.000\nTwo\nlines\n"
        let chapters = try WebVTTDocument([UInt8](text.utf8)).chapters
        #expect(chapters.map(\.title) == ["One & <1>", "Two lines"])
        #expect(chapters.map(\.start) == [0, 10])
    }
}
