// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct WebVTTDocumentTests {
    private func parse(_ text: String) throws -> WebVTTDocument {
        try WebVTTDocument([UInt8](text.utf8))
    }

    @Test func textsHaveTheirTimesAndPlaces() throws {
        let document = try parse(
            """
            WEBVTT - A title

            1
            00:01.000 --> 00:02.500 line:90% align:start position:10%,line-left
            One
            <i>Two</i>

            1:00:00.000 --> 1:00:01.000
            Three
            """
        )
        #expect(
            document.cues == [
                SubtitleCue(
                    start: 1,
                    end: 2.5,
                    settings: "line:90% align:start position:10%,line-left",
                    text: "One\n<i>Two</i>"
                ),
                SubtitleCue(start: 3_600, end: 3_601, text: "Three"),
            ]
        )
        #expect(document.unreadable == 0)
        #expect(document.map == nil)
    }

    @Test(arguments: [
        "X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000",
        "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000",
        "X-TIMESTAMP-MAP= MPEGTS: 900000 , LOCAL: 00:00.000",
        "X-TIMESTAMP-MAP=LOCAL:00:00:05.000,MPEGTS:1350000",
        "\nX-TIMESTAMP-MAP=MPEGTS:8590834592,LOCAL:00:00:00.000",
    ])
    func theMapRelatesTheTimes(line: String) throws {
        let document = try parse("WEBVTT\n\(line)\n\n00:00.000 --> 00:01.000\nA\n")
        #expect(document.map?.offset == 10)
        #expect(document.cues.count == 1)
    }

    @Test(arguments: ["\r\n", "\r", "\n"])
    func linesEndAsInOtherFormats(ending: String) throws {
        let text = "\u{feff}WEBVTT\n\n00:00.000 --> 00:01.000\nA\nB\n\n\n00:01.000-->00:02,5\nC"
        let document = try parse(text.replacing("\n", with: ending))
        #expect(document.cues.map(\.text) == ["A\nB", "C"])
        #expect(document.cues.map(\.end) == [1, 2.5])
    }

    @Test func stylesRegionsAndNotesAreDropped() throws {
        let document = try parse(
            """
            WEBVTT

            STYLE
            ::cue { background: url(http://a.example/) }

            REGION
            id:a

            NOTE a note

            NOTE
            a longer note

            00:00.000 --> 00:01.000 region:a
            A
            """
        )
        #expect(document.cues == [SubtitleCue(start: 0, end: 1, text: "A")])
        #expect(document.unreadable == 0)
    }

    @Test func unreadableTextsAreCounted() throws {
        let document = try parse(
            """
            WEBVTT

            00:00.000 --> x
            A

            00:05.000 --> 00:04.000
            B

            lost text

            00:00.000 --> 00:01.000

            00:00.000 --> 00:01.000
            C
            00:01.000 --> 00:02.000
            D
            """
        )
        #expect(document.cues.map(\.text) == ["C", "D"])
        #expect(document.unreadable == 3)
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "alert(1)"),
        ("<b onclick=x>a</b>", "<b onclickx>a</b>"),
        ("<c.yellow.bg_blue>a</c>", "<c.yellow.bg_blue>a</c>"),
        ("<v Mary \"x\"/>Hi", "<v Mary x>Hi"),
        ("<00:01.000>a<img src=x>b", "ab"),
        ("1 < 2 & 3 > 2", "1 &lt; 2 & 3 &gt; 2"),
        ("a\u{0}b\u{1b}[1m\u{7f}", "ab[1m"),
        ("a --&gt; b {\\an8}", "a --&gt; b {\\an8}"),
    ])
    func onlyKnownMarkupIsKept(line: String, kept: String) throws {
        let document = try parse("WEBVTT\n\n00:00.000 --> 00:01.000\n\(line)\n")
        #expect(document.cues.map(\.text) == [kept])
    }

    @Test(arguments: ["", "\u{feff}", "\n\n", "WEBVTT", "WEBVTT\n\n"])
    func aSegmentWithoutTextIsEmpty(text: String) throws {
        #expect(try parse(text).cues.isEmpty)
    }

    @Test(arguments: ["<html>", "WEBVTTX", "1\n00:00:00,000 --> 00:00:01,000\nA", "\u{0}\u{1}"])
    func otherContentIsRejected(text: String) {
        let error = #expect(throws: MediaError.self) { try parse(text) }
        #expect(error?.code == .notMedia)
    }

    @Test func anotherEncodingIsTakenForLatin1() throws {
        let bytes = [UInt8]("WEBVTT\n\n00:00.000 --> 00:01.000\nCaf".utf8) + [0xe9]
        #expect(try WebVTTDocument(bytes).cues.map(\.text) == ["Café"])
    }

    @Test func moreTextsThanTheLimitAreRefused() {
        let text = "WEBVTT\n\n" + String(repeating: "00:00.0 --> 00:01.0\nA\n\n", count: 150_000)
        let error = #expect(throws: MediaError.self) { try parse(text) }
        #expect(error?.code == .tooLarge)
    }

    @Test func textsWithoutEmptyLinesBetweenThemAreRead() throws {
        let text = (0..<3_000).map { "00:00.0 --> 00:01.0\n\($0)\n" }.joined()
        let document = try parse("WEBVTT\n\n" + text)
        #expect(document.cues.map(\.text) == (0..<3_000).map { "\($0)" })
        let lines = String(repeating: "x\n", count: 10_000)
        #expect(try parse("WEBVTT\n\n00:00.0 --> 00:01.0\n" + lines).unreadable == 1)
    }

    @Test func aHugeTextIsLeftOut() throws {
        let long = String(repeating: "x", count: 1 << 20)
        let document = try parse("WEBVTT\n\n00:00.0 --> 00:01.0\n\(long)\n\n00:00.0 --> 00:01.0\nA")
        #expect(document.cues.map(\.text) == ["A"])
        #expect(document.unreadable == 1)
    }

    @Test(arguments: [
        ("00:00.000", 0.0), ("1:02:03.456", 3_723.456), ("100:00:00.0", 360_000), ("00:59,9", 59.9),
    ])
    func timesAreRead(text: String, seconds: Double) {
        #expect(WebVTTTime.seconds(text[...]) == seconds)
    }

    @Test(arguments: ["", "1", "00:60.000", "60:00.000", "-1:00.0", "0:0:0:0", "00:00.", "00:+1.0"])
    func otherTimesAreRejected(text: String) {
        #expect(WebVTTTime.seconds(text[...]) == nil)
    }

    @Test func writtenTextsAreReadAgain() throws {
        let cues = [
            SubtitleCue(start: 0.5, end: 2, settings: "line:0", text: "<b>A</b>\nB"),
            SubtitleCue(start: 3_600, end: 3_661.999, text: "C &lt; D"),
        ]
        #expect(try WebVTTDocument([UInt8](WebVTTWriter.file(cues))).cues == cues)
    }

    @Test func textsAtTheSameTimeBecomeOne() {
        let cues = [
            SubtitleCue(start: 0, end: 4, settings: "line:0", text: "A"),
            SubtitleCue(start: 2, end: 6, text: "B"), SubtitleCue(start: 2, end: 3, text: "C"),
            SubtitleCue(start: 8, end: 9, text: "D"), SubtitleCue(start: 9, end: 10, text: "D"),
        ]
        let texts = WebVTTWriter.consecutive(cues, limit: 2).map {
            "\($0.start)–\($0.end) \($0.text)"
        }
        #expect(texts == ["0.0–2.0 A", "2.0–4.0 A\nB", "4.0–6.0 B", "8.0–10.0 D"])
    }
}
