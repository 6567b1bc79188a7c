// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct SiteChoiceTests {
    private static let film = "https://m.example/"

    private func document(_ formats: String, _ more: String = "") throws -> SiteDocument {
        try SiteDocument(Array("{\"formats\": [\(formats)]\(more)}".utf8))
    }

    /// Returns the JSON of a file with sound and pictures, unless a codec is `none`.
    private func file(
        _ id: String,
        _ height: Int?,
        video: String = "avc1.64",
        audio: String = "mp4a.40",
        ext: String = "mp4",
        language: String? = nil
    ) -> String {
        let spoken = language.map { ", \"language\": \"\($0)\"" } ?? ""
        let size = height.map { ", \"height\": \($0), \"width\": \($0 * 16 / 9).0" } ?? ""
        return """
            {"format_id": "\(id)", "url": "\(Self.film)\(id)", "protocol": "https", \
            "vcodec": "\(video)", "acodec": "\(audio)", "ext": "\(ext)"\(size)\(spoken)}
            """
    }

    private func choice(
        _ formats: [String],
        _ rendition: QualityChoice = .best,
        audio: LanguageChoice = .all,
        subtitles: LanguageChoice = .all,
        more: String = ""
    ) throws -> SiteChoice {
        let formats = formats.joined(separator: ", ")
        let choice = MediaChoice(quality: rendition, audio: audio, subtitles: subtitles)
        return try SiteChoice(try document(formats, more), choice, site: "a.example")
    }

    /// The formats of a film with separate sound in German and in English.
    ///
    /// The site prefers English.
    private var languages: [String] {
        [
            file("de", nil, video: "none", ext: "m4a", language: "de"),
            file("en", nil, video: "none", ext: "m4a", language: "en-US"),
            file("v", 720, audio: "none"),
        ]
    }

    private func refusal(_ formats: [String], more: String = "") throws -> DownloadError {
        let error = #expect(throws: DownloadError.self) { try choice(formats, more: more) }
        return try #require(error)
    }

    @Test(arguments: [
        (QualityChoice.best, "c", nil), (.height(720), "b", nil), (.height(900), "b", "900p"),
        (.height(100), "a", "100p"),
    ])
    func o20_theRequestedSizeOrTheNearestWithANoteIsKept(
        rendition: QualityChoice,
        id: String,
        note: String?
    ) throws {
        let formats = [file("a", 360), file("b", 720), file("c", 1_080)]
        let choice = try choice(formats, rendition)
        #expect(choice.format.id == id)
        #expect(choice.format.address?.text == Self.film + id)
        #expect(choice.notes.isEmpty == (note == nil))
        if let note { #expect(choice.notes.first?.contains(note) == true) }
    }

    @Test func aStreamIsNamedByItsManifest() throws {
        let stream = """
            {"url": "https://m.example/720.m3u8", "manifest_url": "https://m.example/all.m3u8",
            "protocol": "m3u8_native", "vcodec": "avc1", "acodec": "none", "height": 720}
            """
        let choice = try choice([file("a", 360), stream])
        #expect(choice.format.address?.text == "https://m.example/all.m3u8")
        #expect(choice.format.transport == .hls)
        #expect(choice.sounds.isEmpty)
    }

    @Test func separateFilesAreJoinedIfTheyAreLarger() throws {
        let formats = [
            file("s1", nil, video: "none", ext: "m4a"), file("s2", nil, video: "none", ext: "m4a"),
            file("opus", nil, video: "none", ext: "webm"), file("a", 360),
            file("b", 1_080, audio: "none"),
        ]
        let best = try choice(formats, more: ", \"id\": \"7\", \"extractor_key\": \"Site\"")
        #expect(best.format.id == "b")
        #expect(best.sounds.map(\.id) == ["s2"])
        #expect(try choice(formats, .height(360)).sounds.isEmpty)
        let plan = try #require(best.plan(of: try document("")))
        #expect(plan.tracks.map(\.description.content) == [.pictures, .sound])
        #expect(
            plan.tracks.flatMap(\.parts).map(\.address.text) == [
                Self.film + "b", Self.film + "s2",
            ]
        )
    }

    @Test func theIdentityOfAFileIsTheNameOfItsForm() throws {
        let more = ", \"id\": \"7\\n8\", \"extractor_key\": \"Site\""
        let formats = [file("s", nil, video: "none", ext: "m4a"), file("b", 720, audio: "none")]
        let plan = try choice(formats, more: more).plan(of: try document("", more))
        let identities = try #require(plan).tracks.flatMap(\.parts).map(\.identity)
        #expect(identities == ["site Site 7 8 b", "site Site 7 8 s"])
    }

    @Test func o20_largerFilesThatCannotBeJoinedAreNamed() throws {
        let choice = try choice([
            file("s", nil, video: "none", ext: "webm"), file("a", 360),
            file("b", 2_160, video: "vp9", audio: "none", ext: "webm"),
        ])
        #expect(choice.format.id == "a")
        #expect(
            choice.notes == [
                "The site has 2160p only in files that offline cannot join; 360p was kept."
            ]
        )
    }

    @Test func o20_subtitlesInOtherFormatsAreNamed() throws {
        let more = ", \"subtitles\": {\"en\": [{}], \"de\": [], \"live_chat\": []}"
        let stream = """
            {"url": "https://m.example/all.m3u8", "protocol": "m3u8_native", "ext": "mp4"}
            """
        for form in [file("a", 360), stream] {
            let notes = try choice([form], more: more).notes
            #expect(notes == ["Subtitles were left out: de, en."])
        }
        #expect(try choice([file("a", 360)], subtitles: .none, more: more).notes.isEmpty)
    }

    @Test func o20_theChosenSubtitlesAreKept() throws {
        let more = """
            , "subtitles": {"de": [{"ext": "ttml", "url": "https://m.example/de.xml"},
            {"ext": "vtt", "url": "https://m.example/de.vtt"}], "en": [{"ext": "srt",
            "url": "https://m.example/en.srt"}], "fr": [{"ext": "vtt", "protocol": "m3u8_native",
            "url": "https://m.example/fr.m3u8"}]}
            """
        let all = try choice([file("a", 360)], more: more)
        #expect(all.subtitles.filter(\.isKept).map(\.address?.path) == ["/de.vtt", "/en.srt"])
        #expect(all.notes == ["Subtitles were left out: fr."])
        let one = try choice([file("a", 360)], subtitles: .only(["deu"]), more: more)
        #expect(one.subtitles.filter(\.isKept).map(\.language) == ["de"])
        #expect(one.notes.isEmpty)
    }

    @Test(arguments: [
        (LanguageChoice.all, ["en", "de"], nil), (.only(["deu"]), ["de"], nil),
        (.only(["deu", "eng"]), ["de", "en"], nil),
        (.only(["fra"]), ["en"], "The stream has no sound in French. It has: German, English"),
    ])
    func o20_theSoundOfAChosenLanguageIsKept(
        audio: LanguageChoice,
        kept: [String],
        note: String?
    ) throws {
        let choice = try choice(languages, audio: audio)
        #expect(choice.format.id == "v")
        #expect(choice.sounds.map(\.id) == kept)
        #expect(choice.notes.isEmpty == (note == nil))
        if let note { #expect(choice.notes.first?.hasPrefix(note) == true, "\(choice.notes)") }
        let tracks = try #require(choice.plan(of: try document(""))).tracks
        let codes = ["en": "eng", "de": "deu"]
        #expect(tracks.map(\.description.language) == [nil] + kept.map { codes[$0] })
    }

    @Test func o20_aWholeFormInAnotherLanguageIsNotPreferred() throws {
        let formats = languages + [file("whole", 720, language: "en-US")]
        #expect(try choice(formats, audio: .only(["eng"])).format.id == "whole")
        #expect(try choice(formats, audio: .only(["deu"])).sounds.map(\.id) == ["de"])
        #expect(try choice(formats).sounds.map(\.id) == ["en", "de"])
        let other = try choice([formats[0], formats[3]])
        #expect(other.notes == ["Sound was left out: de."])
    }

    @Test func o20_theSoundAloneIsInTheChosenLanguages() throws {
        let one = try choice(languages, .audio, audio: .only(["deu"]))
        #expect(one.format.id == "de")
        #expect(one.sounds.isEmpty)
        let all = try choice(languages, .audio)
        #expect(all.format.id == "en")
        #expect(all.sounds.map(\.id) == ["de"])
        let tracks = try #require(all.plan(of: try document(""))).tracks
        #expect(tracks.map(\.description.content) == [.sound, .sound])
    }

    @Test func soundAloneIsKept() throws {
        #expect(try choice([file("s", nil, video: "none")], .height(720)).format.id == "s")
    }

    @Test func picturesWithoutSoundAreKeptIfThereIsNone() throws {
        let choice = try choice([file("p", 720, audio: "none")])
        #expect(choice.format.id == "p")
        #expect(choice.sounds.isEmpty)
    }

    @Test func o27_protectedMediaAreRefusedByName() throws {
        let protected = """
            {"url": "https://m.example/a", "protocol": "https", "has_drm": true}
            """
        #expect(try refusal([protected]).message.contains("(DRM)"))
        #expect(try choice([protected, file("a", 360)]).format.id == "a")
    }

    @Test(arguments: [
        "{\"url\": \"file:///etc/passwd\", \"protocol\": \"https\"}",
        "{\"url\": \"javascript:alert(1)\", \"protocol\": \"http\"}",
        "{\"url\": \"https://m.example/a\", \"protocol\": \"rtmp\"}",
        "{\"url\": \"https://m.example/a\", \"protocol\": \"http_dash_segments\"}",
        "{\"url\": 7, \"protocol\": [], \"height\": \"x\", \"tbr\": 1e400, \"has_drm\": 5}",
        "{\"url\": \"https://user:pw@m.example/\", \"protocol\": \"https\", \"height\": -1e300}",
        "7", "null", "[[]]", "",
    ])
    func o27_formsThatCannotBeFetchedAreRefused(format: String) throws {
        #expect(try refusal([format]).code == .unsupported)
    }

    @Test func o27_aRunningBroadcastIsNoFile() throws {
        let error = try refusal([file("a", 360)], more: ", \"is_live\": true")
        #expect(error.code == .refused)
    }

    @Test(arguments: ["", "7", "[]", "{", String(repeating: "[", count: 100_000)])
    func o27_outputThatIsNoDescriptionIsAnError(text: String) {
        #expect(throws: (any Error).self) { try SiteDocument(Array(text.utf8)) }
    }

    @Test func o27_valuesOfOtherTypesCountAsMissing() throws {
        let text = """
            {"title": 7, "entries": [1, {"title": "a", "formats": {}}, null], "is_live": "no",
            "subtitles": [], "formats": "x", "id": {}}
            """
        let document = try SiteDocument(Array(text.utf8))
        #expect(document.title == nil)
        #expect(document.entries?.map(\.title) == ["a"])
        #expect(!document.isLive)
    }
}
