// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct ChapterRangeTests {
    private let chapters = [
        Chapter(start: 0, title: "One"), Chapter(start: 4, title: "Two"),
        Chapter(start: 10, title: "Three"),
    ]

    @Test(arguments: [
        ("3", "3-3"), ("2-4", "2-4"), ("0:10-1:20", "00:00:10-00:01:20"),
        ("01:00:00-01:00:05", "01:00:00-01:00:05"),
    ])
    func aPartIsReadAndWritten(text: String, canonical: String) throws {
        let range = try ChapterRange(text)
        #expect(range.description == canonical)
        #expect(try ChapterRange(canonical) == range)
    }

    @Test(arguments: [
        "", "-", "0", "4-2", "1-", "a-b", "1-0:20", "0:20-0:20", "0:30-0:10", "1-2-3", "0:10",
        "0:01.5-0:03", "-1-2", "99999",
    ])
    func anyOtherTextIsRefused(text: String) {
        let error = #expect(throws: LibraryError.self) { try ChapterRange(text) }
        #expect(error?.code == .invalidOption)
    }

    @Test(arguments: [("1", 0.0..<4), ("2-3", 4.0..<24), ("0:05-0:30", 5.0..<24)])
    func chaptersAndTimesBecomeSeconds(text: String, seconds: Range<Double>) throws {
        #expect(try ChapterRange(text).seconds(of: chapters, in: 24) == seconds)
    }

    @Test(arguments: [("4", "has 3 chapters"), ("0:24-0:30", "ends at 0:24")])
    func aPartOutsideOfTheFilmIsRefused(text: String, words: String) throws {
        let range = try ChapterRange(text)
        let error = #expect(throws: DownloadError.self) {
            try range.seconds(of: chapters, in: 24)
        }
        #expect(error?.message.contains(words) == true)
    }

    @Test func chaptersMoveWithTheStartOfThePart() {
        let inside = chapters.inside(5..<12)
        #expect(inside.map(\.title) == ["Two", "Three"])
        #expect(inside.map(\.start) == [0, 5])
    }
}
