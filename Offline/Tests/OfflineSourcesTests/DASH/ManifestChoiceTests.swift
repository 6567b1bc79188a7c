// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct ManifestChoiceTests {
    private func set(
        _ type: String,
        _ attributes: String = "",
        inside: String = "",
        _ representations: String...
    ) -> String {
        "<AdaptationSet mimeType='\(type)' \(attributes)>\(inside)"
            + representations.joined() + "</AdaptationSet>"
    }

    private func named(_ name: String, _ attributes: String, _ inside: String = "") -> String {
        "<Representation id='\(name)' \(attributes)>\(inside)<BaseURL>\(name)</BaseURL>"
            + "</Representation>"
    }

    private func plan(_ sets: String..., choice: QualityChoice = .best) throws -> ManifestPlan {
        try ManifestFixtures.plan(ManifestFixtures.manifest(sets.joined()), choice)
    }

    @Test func o20_theRolesAndTheLabelDescribeATrack() throws {
        let scheme = "urn:tva:metadata:cs:AudioPurposeCS:2007"
        let blind = "<Accessibility schemeIdUri='\(scheme)' value='1'/>"
        let deaf = "<Accessibility schemeIdUri='urn:mpeg:dash:role:2011' value='caption'/>"
        let plan = try plan(
            set("video/mp4", "", named("v", "height='90'")),
            set("audio/mp4", "lang='en'", inside: "<Role value='main'/>", named("e", "")),
            set("audio/mp4", "lang='en'", inside: "<Role value='commentary'/>", named("c", "")),
            set("audio/mp4", "lang='en'", inside: blind + "<Label>Told</Label>", named("d", "")),
            set("text/vtt", "lang='en'", inside: deaf, named("t", ""))
        )
        let found = Set(plan.tracks.dropFirst().map(\.description.purpose))
        #expect(found == [nil, .commentary, .describesVideo, .transcribesDialog])
        let told = plan.tracks.first { $0.description.purpose == .describesVideo }
        #expect(told?.description.name == "Told")
        #expect(plan.tracks.last?.description.mark == "sdh")
    }

    @Test func o20_everyLanguageIsKeptAndTheMainOneComesFirst() throws {
        let main = "<Role value='main'/>"
        let plan = try plan(
            set("audio/mp4", "lang='fr'", named("f", "codecs='mp4a.40.2'")),
            set("video/mp4", "", named("v", "height='90'")),
            set("audio/mp4", "lang='en-GB'", inside: main, named("e", "codecs='mp4a.40.2'")),
            set("audio/mp4", "lang='en'", inside: "<Role value='description'/>", named("d", ""))
        )
        #expect(
            ManifestFixtures.lines(plan) == [
                "pictures -: v", "sound eng: e", "sound fra: f", "sound eng: d",
            ]
        )
    }

    private let languages = ["en", "de", "pt-BR"]

    private func film(_ choice: MediaChoice) throws -> ManifestPlan {
        let sound = languages.map { language in
            set("audio/mp4", "lang='\(language)'", named(language, "codecs='mp4a.40.2'"))
        }
        let texts = languages.map { set("text/vtt", "lang='\($0)'", named("t-\($0)", "")) }
        let pictures = set("video/mp4", "", named("v", "height='90'"))
        return try ManifestFixtures.plan(
            ManifestFixtures.manifest(pictures + sound.joined() + texts.joined()),
            choice
        )
    }

    @Test func o20_onlyTheChosenLanguagesAreKeptInTheirOrder() throws {
        let plan = try film(
            MediaChoice(audio: try LanguageChoice("pt-BR,en"), subtitles: try LanguageChoice("de"))
        )
        #expect(
            ManifestFixtures.lines(plan) == [
                "pictures -: v", "sound por: pt-BR", "sound eng: en", "subtitles deu: t-de",
            ]
        )
        #expect(plan.notes.isEmpty)
    }

    @Test func o20_aMissingLanguageIsNamedWithThoseThatExist() throws {
        let choice = MediaChoice(
            audio: try LanguageChoice("fr"),
            subtitles: try LanguageChoice("fr,en")
        )
        let plan = try film(choice)
        #expect(
            ManifestFixtures.lines(plan) == [
                "pictures -: v", "sound eng: en", "subtitles eng: t-en",
            ]
        )
        let offer = "It has: English, German, Portuguese (pt-br)."
        #expect(
            plan.notes.sorted() == [
                "The stream has no sound in French. \(offer)",
                "The stream has no subtitles in French. \(offer)",
            ]
        )
    }

    @Test func o20_soundAloneHasNeitherPicturesNorSubtitles() throws {
        let separate = try film(MediaChoice(quality: .audio, audio: try LanguageChoice("de,en")))
        #expect(ManifestFixtures.lines(separate) == ["sound deu: de", "sound eng: en"])
        let muxed = try plan(
            set("video/mp4", "", named("large", "height='720' bandwidth='9'")),
            set("video/mp4", "", named("small", "height='90' bandwidth='2'")),
            choice: .audio
        )
        #expect(ManifestFixtures.lines(muxed) == ["sound -: small"])
    }

    @Test func o20_soundInAnotherFormatIsNamed() throws {
        let channels =
            "<AudioChannelConfiguration schemeIdUri='urn:mpeg:dash:23003:3:"
            + "audio_channel_configuration:2011' value='6'/>"
        let plan = try plan(
            set("audio/mp4", "lang='en'", named("six", "codecs='ec-3' bandwidth='9'", channels)),
            set("audio/mp4", "lang='en'", named("two", "codecs='mp4a.40.2' bandwidth='1'"))
        )
        #expect(ManifestFixtures.lines(plan) == ["everything eng: two"])
        #expect(plan.notes == ["Sound was left out: en (ec-3, 6 channels)."])
    }

    @Test func ofEqualSizesH264IsKept() throws {
        let plan = try plan(
            set("video/mp4", "", named("av1", "codecs='av01.0' height='720' bandwidth='9'")),
            set("video/mp4", "", named("avc", "codecs='avc1.64' height='720' bandwidth='5'"))
        )
        #expect(ManifestFixtures.lines(plan) == ["everything -: avc"])
    }

    @Test func picturesForFastForwardAndThumbnailsAreSkipped() throws {
        let trick = "<EssentialProperty schemeIdUri='http://dashif.org/guidelines/trickmode'/>"
        let plan = try plan(
            set("video/mp4", inside: trick, named("trick", "height='2000'")),
            set("image/jpeg", "", named("thumbs", "height='4000'")),
            set("video/mp4", "", named("v", "height='90'"))
        )
        #expect(ManifestFixtures.lines(plan) == ["everything -: v"])
        #expect(plan.notes.isEmpty)
    }

    @Test func o20_aBetterPictureInAnotherContainerIsNamed() throws {
        let plan = try plan(
            set("video/webm", "", named("w", "height='2160'")),
            set("video/mp4", "", named("v", "height='1080'"))
        )
        #expect(ManifestFixtures.lines(plan) == ["everything -: v"])
        #expect(plan.notes.count == 1 && plan.notes[0].contains("2160p"))
    }

    @Test func o20_subtitlesAreKeptOrNamed() throws {
        let video = set("video/mp4", "", named("v", "height='90'"))
        let plan = try plan(
            video,
            set("text/vtt", "lang='de'", named("de.vtt", "")),
            set("application/mp4", "lang='en'", named("s", "codecs='stpp'")),
            set("application/mp4", "lang='fr' contentType='text'", named("w", "codecs='wvtt'"))
        )
        #expect(ManifestFixtures.lines(plan) == ["everything -: v", "subtitles deu: de.vtt"])
        let areTexts = plan.tracks[1].parts.map(\.isText)
        #expect(areTexts == [true])
        #expect(
            plan.notes.count == 1 && plan.notes[0].hasPrefix("Subtitles were left out: en, fr.")
        )
    }

    @Test(arguments: [
        ("urn:mpeg:dash:mp4protection:2011' value='cenc", "Common Encryption (cenc)"),
        ("urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED", "Widevine"),
        ("urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95", "PlayReady"),
        ("urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e", "ClearKey"),
        ("urn:uuid:00000000-0000-0000-0000-000000000000", "an unknown system"),
    ])
    func protectedStreamsAreRefusedByName(scheme: String, name: String) {
        let protection = "<ContentProtection schemeIdUri='\(scheme)'/>"
        let error = #expect(throws: PlaylistError.self) {
            try plan(set("video/mp4", inside: protection, named("v", "height='90'")))
        }
        #expect(error?.code == .protected)
        #expect(error?.message.contains(name) == true)
    }

    @Test(arguments: [
        ("<MPD type='dynamic'><Period/></MPD>", PlaylistErrorCode.live, "live"),
        ("<MPD><Period xlink:href='http://a/'/></MPD>", .unsupported, "xlink"),
        ("<MPD><Period><AdaptationSet x:href='a'/></Period></MPD>", .unsupported, "xlink"),
        ("<MPD/>", .empty, "no media"),
        ("<MPD><Period/></MPD>", .empty, "no media"),
        ("<html/>", .notPlaylist, "not a DASH"),
        ("<MPD mediaPresentationDuration='10'><Period/></MPD>", .invalid, "duration"),
        ("<MPD><Period>", .invalid, "line 1"),
        ("<!DOCTYPE MPD [<!ENTITY a 'b'>]><MPD>&a;</MPD>", .invalid, "entities"),
    ])
    func otherDocumentsAreRefused(text: String, code: PlaylistErrorCode, word: String) {
        let error = #expect(throws: PlaylistError.self) { try ManifestFixtures.plan(text) }
        #expect(error?.code == code)
        #expect(error?.message.contains(word) == true)
    }

    @Test func aReferenceToNothingIsIgnored() throws {
        let link = "<Period xmlns:xlink='x' xlink:href='urn:mpeg:dash:resolve-to-zero:2013'/>"
        let text = ManifestFixtures.manifest(set("video/mp4", "", named("v", "")))
        let plan = try ManifestFixtures.plan(text.replacing("<Period>", with: link + "<Period>"))
        #expect(plan.tracks.count == 1)
    }

    @Test func differentClocksAreRefused() {
        let base = "<SegmentBase timescale='1' presentationTimeOffset='9'/>"
        let error = #expect(throws: PlaylistError.self) {
            try plan(
                set("video/mp4", inside: base, named("v", "height='90'")),
                set("audio/mp4", "", named("a", ""))
            )
        }
        #expect(error?.code == .unsupported)
    }
}
