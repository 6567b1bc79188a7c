// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct StatedTextsTests {
    @Test(arguments: PageSample.subtitled)
    func o20_theSubtitlesOfAPlayerAreFound(sample: PageSample) throws {
        let page = try contents(sample.html)
        #expect(page.candidates.map(\.media.address.path) == ["/v/film.mp4"])
        let subtitles = page.candidates.first?.subtitles ?? []
        let found = subtitles.map { [$0.address.path, $0.language] }
            .sorted { $0[0] ?? "" > $1[0] ?? "" }
        #expect(found == [["/en.vtt", "en"], ["/de.vtt", "de"]])
    }

    @Test(arguments: PageSample.divided)
    func o20_theChaptersOfAPageAreFound(sample: PageSample) throws {
        let page = try contents(sample.html)
        #expect(page.candidates.count == 1)
        let chapters = page.candidates.first?.marks
        #expect(chapters == [Chapter(start: 0, title: "Intro"), Chapter(start: 90, title: "Fish")])
    }

    @Test func o20_aFileOfChaptersIsNoSubtitles() throws {
        let page = try contents(
            """
            <script>jwplayer("p").setup({ file: "/v/film.mp4", tracks: [
            { file: "/chapters.vtt", kind: "chapters" }, { file: "/text/7", kind: "captions" }] });
            </script>
            """
        )
        let candidate = try #require(page.candidates.first)
        #expect(candidate.chapters?.path == "/chapters.vtt")
        #expect(candidate.subtitles.map(\.address.path) == ["/text/7"])
    }

    @Test func o20_theSubtitlesOfAListHaveItsLabels() throws {
        let page = try contents(
            """
            <script>new Playerjs({file: "[360p]/v/a,b_360.mp4,[720p]/v/a,b_720.mp4",
            subtitle: "[English]/en.vtt,[Deutsch]/de.vtt"});</script>
            """
        )
        let candidate = try #require(page.candidates.first)
        #expect(candidate.media.address.path == "/v/a,b_720.mp4")
        #expect(candidate.media.height == 720)
        #expect(candidate.alternatives.map(\.height) == [360])
        #expect(candidate.subtitles.map(\.language) == ["en", "de"])
    }

    @Test func o20_aTranscriptIsNoticed() throws {
        let page = try contents(
            """
            <script>play({"audio":[{"url":"/a.mp3"}],"transcripts":[{"start":"00:00:01.000",
            "end":"00:00:02.000","text":"Hello"}]})</script>
            """
        )
        #expect(page.candidates.first?.hasTranscript == true)
    }

    @Test func textsApartFromSeveralMediaBelongToNone() throws {
        let page = try contents(
            """
            <video src=/one.mp4></video><video src=/two.mp4></video>
            <script>add({kind: 'captions', src: '/en.vtt', srclang: 'en'})</script>
            """
        )
        #expect(page.candidates.map(\.subtitles) == [[], []])
    }

    @Test func theNumberOfSubtitlesIsLimited() throws {
        let tracks = (0..<1_000).map { "<track src=/\($0).vtt>" }.joined()
        let page = try contents("<video src=/a.mp4>\(tracks)</video>")
        #expect(page.candidates.first?.subtitles.count == 64)
    }

    @Test(arguments: [
        ("Deutsch", "de"), ("German (auto-generated)", "de"), ("English CC", "en"), ("fr", "fr"),
        ("Signs", nil), ("", nil),
    ])
    func aLabelNamesALanguage(label: String, code: String?) {
        #expect(SubtitleLanguage.code(named: label) == code)
    }

    @Test(arguments: [
        ("en.vtt", "en"), ("film_de.vtt", "de"), ("Film.FR.srt", "fr"), ("then.vtt", nil),
        ("qq.vtt", nil),
    ])
    func aFileNameNamesALanguage(name: String, code: String?) {
        #expect(SubtitleLanguage.code(inFileName: name) == code)
    }

    @Test func aFileOfJSONHasChapters() {
        let podcast = #"{"version":"1.2.0","chapters":[{"startTime":7.5,"title":"Fish"}]}"#
        #expect(ScriptReader.chapters(Array(podcast.utf8)) == [Chapter(start: 7.5, title: "Fish")])
        let list = #"[{"start":"00:01:00","title":"Fish"}]"#
        #expect(ScriptReader.chapters(Array(list.utf8)) == [Chapter(start: 60, title: "Fish")])
    }
}
