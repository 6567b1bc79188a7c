// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PlaylistParserTests {
    private static let widevine = "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"

    /// An invalid playlist, the code of the error, and a word that the message must contain.
    static let invalidTexts: [(String, PlaylistError.Code, String)] = [
        ("", .notPlaylist, "EXTM3U"),
        ("<html></html>", .notPlaylist, "EXTM3U"),
        ("#EXTM3U8\n", .notPlaylist, "EXTM3U"),
        ("\n#EXTM3U\n", .notPlaylist, "EXTM3U"),
        ("\u{feff}\u{feff}#EXTM3U\n", .notPlaylist, "EXTM3U"),
        ("#EXTM3U\n", .empty, "empty"),
        ("#EXTM3U\nfilm.mp3\n", .invalid, "line 2"),
        ("#EXTM3U\n#EXTINF:123,Artist - Song\nsong.mp3\n", .notPlaylist, "list of links"),
        ("#EXTM3U\n#EXTINF:-1,Channel\nhttp://a.example/\n", .invalid, "EXTINF"),
        (PlaylistFixtures.one("", end: ""), .live, "live"),
        (PlaylistFixtures.one("#EXT-X-PLAYLIST-TYPE:EVENT", end: ""), .live, "live"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-ENDLIST", .empty, "no segment"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\na.ts\n#EXT-X-ENDLIST", .invalid, "EXTINF"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", .invalid, "no address"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:A=1\n#EXT-X-STREAM-INF:A=1\na", .invalid, "without"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:A=1\na\nb\n", .invalid, "line 4"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:A=1\na\n#EXTINF:1,\nb\n", .invalid, "both"),
        ("#EXTM3U\n#EXTINF:1,\nb\n#EXT-X-STREAM-INF:A=1\na\n", .invalid, "both"),
        ("#EXTM3U\n#EXTINF:1,\n#EXT-X-STREAM-INF:A=1\na\n", .invalid, "both"),
        ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO\n", .empty, "no rendition"),
        (PlaylistFixtures.one("#EXT-X-GAP"), .empty, "GAP"),
        (PlaylistFixtures.one("#EXT-X-I-FRAMES-ONLY"), .unsupported, "I-FRAMES"),
        (PlaylistFixtures.one("#EXT-X-SKIP:SKIPPED-SEGMENTS=3"), .unsupported, "SKIP"),
        (PlaylistFixtures.one("#EXT-X-MEDIA-SEQUENCE:-4"), .invalid, "MEDIA-SEQUENCE"),
        (PlaylistFixtures.one("#EXTINF:1,\na.ts\n#EXT-X-MEDIA-SEQUENCE:4"), .invalid, "after"),
        (PlaylistFixtures.one("#EXTINF:nan,\na.ts"), .invalid, "EXTINF"),
        (PlaylistFixtures.one("#EXTINF:1e300,\na.ts"), .invalid, "EXTINF"),
        (PlaylistFixtures.one("#EXTINF:0x10,\na.ts"), .invalid, "EXTINF"),
        (PlaylistFixtures.one("#EXT-X-MAP:BYTERANGE=\"1@2\""), .invalid, "URI"),
        (PlaylistFixtures.one("#EXT-X-KEY:URI=\"k\""), .invalid, "METHOD"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128"), .invalid, "URI"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12"), .invalid, "IV"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xg"), .invalid, "IV"),
        (
            PlaylistFixtures.one(
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x\(String(repeating: "1", count: 33))"
            ),
            .invalid, "IV"
        ),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-256,URI=\"k\""), .unsupported, "AES-256"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""), .protected, "SAMPLE-AES"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128,URI=\"skd://k\""), .protected, "FairPlay"),
        (
            PlaylistFixtures.one(
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"\(widevine)\""
            ),
            .protected, "Widevine"
        ),
        (
            PlaylistFixtures.one("#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"k\",KEYFORMAT=\"x\""),
            .protected, "“x”"
        ),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=NONE,METHOD=AES-128"), .invalid, "twice"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD=\"NONE"), .invalid, "closed"),
        (PlaylistFixtures.one("#EXT-X-KEY:METHOD"), .invalid, "no value"),
    ]

    @Test(arguments: invalidTexts)
    func invalidPlaylistsAreRejectedByName(text: String, code: PlaylistError.Code, word: String) {
        let parseError = PlaylistFixtures.parseError(text)
        #expect(parseError?.code == code)
        #expect(parseError?.message.contains(word) == true, "\(parseError?.message ?? "accepted")")
    }

    @Test(arguments: [
        "file:///etc/passwd", "data:text/plain,x", "concat:a|b", "subfile:a", "crypto:a",
        "ftp://a.example/x", "javascript:1", "/\u{0}x", "http://user:pw@a.example/x",
    ])
    func o11_onlyWebAddressesAreAccepted(address: String) {
        let texts = [
            PlaylistFixtures.one("", segment: address),
            PlaylistFixtures.one("#EXT-X-MAP:URI=\"\(address)\""),
            PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128,URI=\"\(address)\""),
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(address)\n",
        ]
        for text in texts {
            #expect(PlaylistFixtures.parseError(text)?.code == .forbiddenAddress, "\(text)")
        }
    }

    @Test func o14_noErrorContainsTheTokenOfAnAddress() {
        for (text, _, _) in Self.invalidTexts {
            let parseError = PlaylistFixtures.parseError(text)
            #expect(parseError?.message.contains("secret") == false)
        }
    }

    @Test func bytesThatAreNotUTF8AreRejected() {
        let bytes = [UInt8]("#EXTM3U\n#EXT-X-KEY:".utf8) + [0xff, 0xfe, 0x0a]
        #expect(PlaylistFixtures.parseError(bytes)?.code == .invalid)
    }

    @Test func unknownTagsAndUnusedDRMAreIgnored() throws {
        let text = PlaylistFixtures.one(
            """
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-KEY:METHOD=NONE
            #EXT-X-FUTURE:"
            #EXTINFO
            """
        )
        #expect(try PlaylistFixtures.media(text).segments[0].encryption == nil)
    }

    @Test func tenMillionLinesAreRejected() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 10_000_000)
        #expect(PlaylistFixtures.parseError([UInt8]("#EXTM3U".utf8) + bytes)?.code == .tooLarge)
    }

    @Test func everyLimitIsEnforced() {
        let lines = "#EXTM3U\n" + String(repeating: "\n", count: 1_000_001)
        let long = "#EXTM3U\n#" + String(repeating: "x", count: 65_536)
        var few = PlaylistLimits()
        few.segments = 2
        few.renditions = 2
        for text in [lines, long] {
            #expect(PlaylistFixtures.parseError(text)?.code == .tooLarge)
        }
        for text in [PlaylistFixtures.plain, PlaylistFixtures.master] {
            #expect(PlaylistFixtures.parseError(text, limits: few)?.code == .tooLarge)
        }
    }

    /// Playlists of real recordings of many hours list signed addresses.
    @Test func aLongStreamWithSignedAddressesIsAccepted() {
        let signed = "#EXTINF:4,\na.ts?signature=" + String(repeating: "x", count: 700) + "\n"
        let segments = String(repeating: signed, count: 12 * 900)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(segments)#EXT-X-ENDLIST\n"
        #expect(PlaylistFixtures.parseError(text) == nil)
        #expect(text.utf8.count > 7 << 20 && text.utf8.count < HLSSource().descriptionLimit)
    }

    @Test func theTotalLengthOfAddressesIsLimited() throws {
        let folder = String(repeating: "x", count: 7_000)
        let base = try WebAddress("https://cdn.example/\(folder)/index.m3u8")
        let segments = String(repeating: "#EXTINF:1,\na\n", count: 20_000)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(segments)#EXT-X-ENDLIST"
        let error = #expect(throws: PlaylistError.self) {
            try PlaylistParser.parse([UInt8](text.utf8), at: base)
        }
        #expect(error?.code == .tooLarge)
    }

    private let base: WebAddress

    init() throws {
        base = try WebAddress(PlaylistFixtures.base)
    }
}
