// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct RenditionPlanTests {
    private func plan(_ text: String, _ choice: RenditionChoice = .best) throws -> RenditionPlan {
        try RenditionPlan(try PlaylistFixtures.master("#EXTM3U\n" + text), choice)
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
                "The stream has no rendition of 10p; 9p was kept."
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
