// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct SubtitleTimelineTests {
    private typealias Section = SubtitleClock.Section

    private let plain = SubtitleClock(sections: [
        Section(start: 0, duration: 60, fileStart: 0, mediaStart: 10)
    ])

    /// A stream that lacks a second of the first section and has other times in the second section.
    private let broken = SubtitleClock(sections: [
        Section(start: 0, duration: 20, fileStart: 0, mediaStart: 10),
        Section(start: 20, duration: 20, fileStart: 19, mediaStart: 90_000),
    ])

    private func document(_ ticks: Int?, _ cues: String...) throws -> WebVTTDocument {
        let map = ticks.map { "X-TIMESTAMP-MAP=MPEGTS:\($0),LOCAL:00:00:00.000\n" } ?? ""
        return try WebVTTDocument([UInt8](("WEBVTT\n\(map)\n" + cues.joined()).utf8))
    }

    private func cue(_ start: Int, _ end: Int, _ text: String) -> String {
        "\(WebVTTTime.text(Double(start))) --> \(WebVTTTime.text(Double(end)))\n\(text)\n\n"
    }

    private func texts(_ timeline: SubtitleTimeline) -> [String] {
        timeline.cues.map { "\($0.start)–\($0.end) \($0.text)" }
    }

    @Test func theMapCountsFromTheFirstPicture() throws {
        var timeline = SubtitleTimeline(plain, duration: 60)
        try timeline.add(document(900_000, cue(1, 2, "A")), at: 0, in: 0)
        try timeline.add(document(990_000, cue(1, 2, "B")), at: 6, in: 0)
        #expect(texts(timeline) == ["1.0–2.0 A", "2.0–3.0 B"])
    }

    @Test func withoutAMapTheTimesAreThoseOfTheFilm() throws {
        var timeline = SubtitleTimeline(plain, duration: 60)
        try timeline.add(document(nil, cue(7, 8, "A")), at: 6, in: 0)
        #expect(texts(timeline) == ["7.0–8.0 A"])
    }

    @Test func timesBeginAgainAfter33Bits() throws {
        let late = (1 << 33) - 90_000
        let clock = SubtitleClock(sections: [
            Section(start: 0, duration: 60, fileStart: 0, mediaStart: Double(late) / 90_000)
        ])
        var timeline = SubtitleTimeline(clock, duration: 60)
        try timeline.add(document(0, cue(2, 3, "A")), at: 0, in: 0)
        try timeline.add(document(late, cue(10, 11, "B")), at: 6, in: 0)
        let starts = timeline.cues.map(\.start)
        #expect(abs(starts[0] - 3) < 1e-3 && abs(starts[1] - 10) < 1e-3, "\(starts)")
    }

    @Test func eachSectionHasItsOwnClock() throws {
        var timeline = SubtitleTimeline(broken, duration: 60)
        try timeline.add(document(900_000, cue(1, 2, "A")), at: 0, in: 0)
        try timeline.add(document(90_000 * 90_000 % (1 << 33), cue(1, 2, "B")), at: 20, in: 1)
        let shown = timeline.cues.map { ($0.start * 1_000).rounded() / 1_000 }
        #expect(shown == [1, 20])
    }

    @Test func oneFileOfTextsIsDividedAtTheSections() throws {
        var timeline = SubtitleTimeline(broken, duration: 60)
        try timeline.add(document(900_000, cue(1, 2, "A"), cue(25, 26, "B")), at: 0, in: nil)
        #expect(texts(timeline) == ["1.0–2.0 A", "24.0–25.0 B"])
    }

    @Test func aTextInTwoSegmentsBecomesOne() throws {
        var timeline = SubtitleTimeline(plain, duration: 60)
        try timeline.add(document(nil, cue(4, 6, "A"), cue(5, 8, "B")), at: 0, in: 0)
        try timeline.add(document(nil, cue(6, 9, "A"), cue(5, 8, "B")), at: 6, in: 0)
        try timeline.add(document(nil, cue(20, 21, "A")), at: 12, in: 0)
        #expect(texts(timeline) == ["4.0–9.0 A", "5.0–8.0 B", "20.0–21.0 A"])
    }

    @Test func aTextThatIsRepeatedInOneSegmentStays() throws {
        var timeline = SubtitleTimeline(plain, duration: 60)
        try timeline.add(document(nil, cue(4, 6, "A"), cue(6, 8, "A")), at: 0, in: 0)
        #expect(timeline.cues.count == 2)
    }

    @Test func textsAreInOrderAndEndWithTheFilm() throws {
        var timeline = SubtitleTimeline(plain, duration: 10)
        let all = cue(9, 12, "C") + cue(3, 4, "B") + cue(11, 12, "D")
        try timeline.add(document(810_000, cue(0, 3, "A") + all), at: 0, in: 0)
        #expect(texts(timeline) == ["0.0–2.0 A", "2.0–3.0 B", "8.0–10.0 C"])
        #expect(timeline.outside == 1)
    }

    @Test func theSumOfAllSegmentsIsLimited() throws {
        var limits = SubtitleLimits()
        limits.cues = 3
        var timeline = SubtitleTimeline(plain, duration: 60, limits: limits)
        try timeline.add(document(nil, cue(0, 1, "A"), cue(1, 2, "B")), at: 0, in: 0)
        let more = try document(nil, cue(2, 3, "C"), cue(3, 4, "D"))
        #expect(throws: MediaError.self) { try timeline.add(more, at: 6, in: 0) }
    }

    @Test(arguments: [("eng", "en", "English"), ("deu", "de", "German"), (nil, "und", "Subtitles")])
    func languagesHaveNames(code: String?, part: String, title: String) {
        #expect(SubtitleLanguage.fileNamePart(code) == part)
        #expect(SubtitleLanguage.title(code) == title)
    }
}
