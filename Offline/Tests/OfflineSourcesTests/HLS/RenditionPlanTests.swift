// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct RenditionPlanTests {
    private func plan(_ text: String, _ quality: QualityChoice = .best) throws -> RenditionPlan {
        try plan(text, MediaChoice(quality: quality))
    }

    private func plan(_ text: String, _ choice: MediaChoice) throws -> RenditionPlan {
        try RenditionPlan(try PlaylistFixtures.master("#EXTM3U\n" + text), choice)
    }

    private func film(_ choice: MediaChoice) throws -> RenditionPlan {
        var text = rendition.replacing("16x9", with: "16x9,SUBTITLES=\"s\"")
        for language in ["en", "de", "pt-BR"] {
            text += sound("NAME=\"\",LANGUAGE=\"\(language)\",URI=\"\(language).m3u8\"")
            text += "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"\",LANGUAGE=\"\(language)\","
            text += "URI=\"t-\(language).m3u8\"\n"
        }
        return try plan(text, choice)
    }

    @Test func o20_onlyTheChosenLanguagesAreKeptInTheirOrder() throws {
        let plan = try film(
            MediaChoice(audio: try LanguageChoice("pt-BR,en"), subtitles: try LanguageChoice("DE"))
        )
        #expect(
            entries(plan) == [
                "v.m3u8 pictures -", "pt-BR.m3u8 sound por", "en.m3u8 sound eng",
                "t-de.m3u8 subtitles deu",
            ]
        )
        #expect(plan.notes.isEmpty)
        let silent = try film(MediaChoice(subtitles: .none))
        #expect(entries(silent).count == 4)
    }

    @Test func o20_aMissingLanguageIsNamedWithThoseThatExist() throws {
        let plan = try film(
            MediaChoice(audio: try LanguageChoice("fr"), subtitles: try LanguageChoice("fr,en"))
        )
        #expect(
            entries(plan) == ["v.m3u8 pictures -", "en.m3u8 sound eng", "t-en.m3u8 subtitles eng"]
        )
        let offer = "It has: English, German, Portuguese (pt-br)."
        #expect(
            plan.notes == [
                "The stream has no sound in French. \(offer)",
                "The stream has no subtitles in French. \(offer)",
            ]
        )
    }

    @Test func o20_soundAloneIsKeptWithoutPicturesWhereTheStreamSeparatesThem() throws {
        let separate = try film(MediaChoice(quality: .audio, audio: try LanguageChoice("de,en")))
        #expect(entries(separate) == ["de.m3u8 sound deu", "en.m3u8 sound eng"])
        #expect(separate.entries.map(\.optionalName) == [nil, "en"])
        let muxed =
            "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=16x9\nlarge.m3u8\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=8x5\nsmall.m3u8\n"
        let small = try plan(muxed, .audio)
        #expect(entries(small) == ["small.m3u8 sound -"])
        #expect(small.notes.count == 1)
        let own = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\ns.m3u8\n"
        let alone = try plan(muxed + own, .audio)
        #expect(entries(alone) == ["s.m3u8 everything -"])
        #expect(alone.notes.isEmpty)
    }

    @Test func o20_soundInAnUnchosenLanguageIsTakenOffThePictures() throws {
        let media =
            sound(#"NAME="A",LANGUAGE="en",DEFAULT=YES"#)
            + sound(#"NAME="B",LANGUAGE="fr",URI="b.m3u8""#)
        let french = try plan(rendition + media, MediaChoice(audio: try LanguageChoice("fr")))
        #expect(entries(french) == ["v.m3u8 pictures -", "b.m3u8 sound fra"])
        let english = try plan(rendition + media, MediaChoice(audio: try LanguageChoice("en")))
        #expect(entries(english) == ["v.m3u8 everything eng"])
    }

    private func entries(_ plan: RenditionPlan) -> [String] {
        plan.entries.map { entry in
            let name = entry.address.lastPathComponent
            return "\(name) \(entry.description.content) \(entry.description.language ?? "-")"
        }
    }

    private let rendition = "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=16x9,AUDIO=\"a\"\nv.m3u8\n"

    private func sound(_ attributes: String) -> String {
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",\(attributes)\n"
    }

    @Test func o20_theLargestPictureIsKeptWithItsSeparateSound() throws {
        let muxed = "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=4x3\nsmall.m3u8\n"
        let media =
            sound(#"NAME="B",LANGUAGE="de",URI="b.m3u8""#)
            + sound(#"NAME="A",LANGUAGE="en-US",DEFAULT=YES,URI="a.m3u8""#)
        let plan = try plan(muxed + rendition + media)
        #expect(entries(plan) == ["v.m3u8 pictures -", "a.m3u8 sound eng", "b.m3u8 sound deu"])
        #expect(plan.notes.isEmpty)
    }

    @Test func o20_anotherAngleIsNamed() throws {
        func angle(_ group: String, _ attributes: String) -> String {
            "#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"\(group)\",\(attributes)\n"
        }
        let angles =
            angle("low", #"NAME="Main",DEFAULT=YES"#) + angle("low", #"NAME="Goal",URI="g.m3u8""#)
            + angle("low", #"NAME="Fans",URI="data:x""#)
            + angle("high", #"NAME="Bench",URI="b.m3u8""#)
        let film = "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=16x9,VIDEO=\"low\"\nv.m3u8\n"
        let plan = try plan(angles + film)
        #expect(entries(plan) == ["v.m3u8 everything -"])
        #expect(plan.notes == ["Other pictures were left out: Goal, Fans."])
        let ungrouped = try self.plan(angles + angles + rendition)
        #expect(ungrouped.notes == ["Other pictures were left out: Goal, Fans, Bench."])
        let own = angle("low", #"NAME="Main",URI="v.m3u8""#)
        #expect(try self.plan(own + film).notes.isEmpty)
        let sound = try self.plan(angles + film, .audio)
        #expect(!sound.notes.contains { $0.contains("pictures were") })
    }

    @Test func soundWithinTheRenditionIsKeptToo() throws {
        let media =
            sound(#"NAME="A",LANGUAGE="en",DEFAULT=YES"#)
            + sound(#"NAME="B",LANGUAGE="fr",URI="b.m3u8""#)
        let plan = try plan(rendition + media)
        #expect(entries(plan) == ["v.m3u8 everything eng", "b.m3u8 sound fra"])
    }

    @Test func aPlaylistIsKeptOnce() throws {
        let media =
            sound(#"NAME="A",URI="v.m3u8""#) + sound(#"NAME="B",URI="b.m3u8""#)
            + sound(#"NAME="C",URI="b.m3u8""#)
        #expect(entries(try plan(rendition + media)) == ["v.m3u8 everything -", "b.m3u8 sound -"])
    }

    @Test func soundOnlyHasNoOtherSound() throws {
        let text = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\",AUDIO=\"a\"\ns.m3u8\n"
        let plan = try plan(text + sound(#"NAME="A",URI="a.m3u8""#))
        #expect(entries(plan) == ["s.m3u8 everything -"])
    }

    @Test func o20_whatIsLeftOutIsNamed() throws {
        let text =
            "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=16x9,SUBTITLES=\"s\"\nv.m3u8\n"
            + #"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",DEFAULT=YES,URI="e.m3u8""#
            + "\n" + #"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="",LANGUAGE="de",URI="d.m3u8""#
        let plan = try plan(text, .height(10))
        #expect(
            plan.notes == [
                "The stream does not have 10p; 9p was kept."
            ]
        )
        #expect(entries(plan).dropFirst() == ["e.m3u8 subtitles -", "d.m3u8 subtitles deu"])
    }

    @Test func onlyTheSoundThatARenditionNeedsIsCompulsory() throws {
        let media = sound(#"NAME="A",URI="a.m3u8""#) + sound(#"NAME="B",URI="b.m3u8""#)
        #expect(try plan(rendition + media).entries.map(\.optionalName) == [nil, nil, "B"])
        let own = sound(#"NAME="O",DEFAULT=YES"#)
        #expect(try plan(rendition + own + media).entries.map(\.optionalName) == [nil, "A", "B"])
    }

    @Test func anUnusableAddressConcernsOnlyItsMedia() throws {
        let media =
            sound(#"NAME="A",URI="a.m3u8""#) + sound(#"NAME="F",URI="file:///etc/passwd""#)
            + #"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="S",URI="data:text/vtt,""# + "\n"
        let some = try plan(rendition + media)
        #expect(entries(some) == ["v.m3u8 pictures -", "a.m3u8 sound -"])
        #expect(some.notes == ["Sound was left out: F."])
        let text = try plan(rendition.replacing("16x9", with: "16x9,SUBTITLES=\"s\"") + media)
        #expect(text.notes.last == "Subtitles were left out: S.")
        let error = #expect(throws: PlaylistError.self) {
            try plan(rendition + sound(#"NAME="F",URI="file:///etc/passwd""#))
        }
        #expect(error?.code == .forbiddenAddress)
        let own = try plan(rendition + sound(#"NAME="O",URI="""#))
        #expect(entries(own) == ["v.m3u8 everything -"])
    }

    @Test func manyLanguagesAreLimitedAndNamed() throws {
        let media = (1...20).map { sound("NAME=\"L\($0)\",URI=\"\($0).m3u8\"") }.joined()
        let plan = try plan(rendition + media)
        #expect(plan.entries.count == 17)
        #expect(plan.notes == ["Sound was left out: L17, L18, L19, L20."])
    }

    @Test func o20_subtitlesAreChosenWithTheirFlags() throws {
        let text = "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=16x9,SUBTITLES=\"s\"\nv.m3u8\n"
        let media = (1...17).map { number in
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"L\(number)\",LANGUAGE=\"en\","
                + "DEFAULT=\(number == 1 ? "yes" : "NO"),FORCED=\(number == 2 ? "YES" : "no"),"
                + "URI=\"\(number).m3u8\"\n"
        }
        let plan = try plan(text + media.joined())
        let subtitles = plan.entries.dropFirst().map(\.description)
        #expect(subtitles.count == 16)
        #expect(subtitles.map(\.isDefault) == [true] + Array(repeating: false, count: 15))
        #expect(subtitles.map(\.isForced).prefix(3) == [false, true, false])
        #expect(plan.notes == ["Subtitles were left out: L17."])
        #expect(plan.entries.allSatisfy { $0.description.content != .pictures })
    }

    @Test(arguments: [
        ("en", "eng"), ("EN-us", "eng"), ("zh-Hant", "zho"), ("ger", "ger"), ("x", nil),
        ("../a", nil), ("", nil), ("English language", nil),
    ])
    func languagesAreThreeLetters(text: String, code: String?) {
        #expect(TrackDescription.languageCode(text) == code)
    }
}
