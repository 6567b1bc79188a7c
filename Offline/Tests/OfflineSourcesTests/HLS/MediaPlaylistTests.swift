// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct MediaPlaylistTests {
    @Test(arguments: ["#EXTINF:1,", "#EXTINF:1,\n", "#EXTINF:1,\n#EXT-X-PROGRAM", "#EXTI"])
    func aPlaylistThatEndsBeforeAnAddressIsRefused(rest: String) throws {
        let whole = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:1,\na.ts\n"
        #expect(try PlaylistFixtures.media(whole).segments.count == 1)
        #expect(try PlaylistFixtures.media(String(whole.dropLast())).segments.count == 1)
        #expect(PlaylistFixtures.parseError(whole + rest)?.code == .invalid)
        #expect(PlaylistFixtures.parseError("\(whole)#EXT-X-ENDLIST\n\(rest)") == nil)
    }

    @Test func addressesAreRelativeToThePlaylistsOwn() throws {
        let playlist = try PlaylistFixtures.media(PlaylistFixtures.plain)
        #expect(
            playlist.segments.map(\.address.text) == [
                "https://cdn.example/show/one/seg%201.ts",
                "https://cdn.example/show/two/seg%202.ts?x=1",
                "https://other.example/seg3.ts",
            ]
        )
        #expect(playlist.segments.map(\.duration) == [6.006, 6, 1.5])
        #expect(playlist.segments.map(\.number) == [5, 6, 7])
        #expect(playlist.segments.map(\.index) == [0, 1, 2])
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, false, true])
        #expect(playlist.targetDuration == 7)
        #expect(abs(playlist.duration - 13.506) < 1e-9)
    }

    @Test func linesMayEndWithCarriageReturns() throws {
        let windows = PlaylistFixtures.plain.split(
            separator: "\n",
            omittingEmptySubsequences: false
        ).joined(separator: "\r\n")
        #expect(
            try PlaylistFixtures.parse(windows) == PlaylistFixtures.parse(PlaylistFixtures.plain)
        )
    }

    @Test func aKeyAppliesUntilTheNextKey() throws {
        let segments = try PlaylistFixtures.media(PlaylistFixtures.keys).segments
        #expect(
            segments.map { $0.encryption?.keyAddress.text } == [
                nil,
                "https://cdn.example/show/one/key?id=1,2",
                "https://cdn.example/show/one/key?id=1,2",
                "https://keys.example/k2",
                nil,
            ]
        )
    }

    @Test func theDefaultIVIsTheSegmentsNumber() throws {
        let segments = try PlaylistFixtures.media(PlaylistFixtures.keys).segments
        let zeros = [UInt8](repeating: 0, count: 14)
        #expect(segments[1].encryption?.iv == zeros + [1, 3])
        #expect(segments[2].encryption?.iv == zeros + [1, 4])
        #expect(segments[3].encryption?.iv == zeros + [0xff, 0x01])
    }

    @Test func aRangeWithoutOffsetContinuesThePreviousOne() throws {
        let segments = try PlaylistFixtures.media(PlaylistFixtures.ranges).segments
        #expect(
            segments.map(\.range) == [
                HTTPByteRange(offset: 20, length: 100),
                HTTPByteRange(offset: 120, length: 50),
                HTTPByteRange(offset: 500, length: 7),
            ]
        )
    }

    @Test(arguments: [
        "#EXTINF:6,\n#EXT-X-BYTERANGE:5@0\na.ts\n#EXTINF:6,\n#EXT-X-BYTERANGE:5\nb.ts",
        "#EXTINF:6,\na.ts\n#EXTINF:6,\n#EXT-X-BYTERANGE:5\na.ts",
        "#EXTINF:6,\n#EXT-X-BYTERANGE:0@5\na.ts",
        "#EXTINF:6,\n#EXT-X-BYTERANGE:5@\na.ts",
        "#EXTINF:6,\n#EXT-X-BYTERANGE:-5@1\na.ts",
        "#EXTINF:6,\n#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807\na.ts",
        "#EXTINF:6,\n#EXT-X-BYTERANGE:99999999999999999999@0\na.ts",
    ])
    func anInvalidRangeIsRejected(lines: String) {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(lines)\n#EXT-X-ENDLIST"
        #expect(PlaylistFixtures.parseError(text)?.code == .invalid)
    }

    @Test func titlesInAnotherEncodingAreAccepted() throws {
        let bytes = [UInt8]("#EXTM3U\n#EXTINF:6,Caf".utf8) + [0xe9]
        let text = bytes + [UInt8]("\na.ts\n#EXT-X-ENDLIST".utf8)
        #expect(PlaylistFixtures.parseError(text) == nil)
    }

    @Test func gapsHaveTheirTimesAndNoKey() throws {
        let playlist = try PlaylistFixtures.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            #EXT-X-BYTERANGE:10@0
            a.ts
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k"
            #EXT-X-GAP
            #EXTINF:4,
            #EXT-X-BYTERANGE:10
            a.ts
            #EXT-X-GAP
            #EXTINF:2,
            b.ts
            #EXT-X-KEY:METHOD=NONE
            #EXT-X-MAP:URI="i.mp4"
            #EXTINF:6,
            c.ts
            #EXT-X-ENDLIST
            """
        )
        #expect(playlist.gaps == [6..<12])
        #expect(playlist.segments.map(\.isGap) == [false, true, true, false])
        #expect(playlist.segments.map(\.number) == [0, 1, 2, 3])
        #expect(Track(playlist).parts.map(\.isGap) == [false, true, true, false, false])
        let notes = GapNote.text(playlist.gaps, .pictures)
        #expect(notes == ["Pictures are missing on the server at 0:06–0:12."])
    }

    @Test func rangesBeyondTheLargestFileAreRejected() {
        let first = "#EXTINF:6,\n#EXT-X-BYTERANGE:2305843009213693951@0\na.ts\n"
        let next = "#EXTINF:6,\n#EXT-X-BYTERANGE:2305843009213693951\na.ts\n"
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + first + next + next + next + next
        #expect(PlaylistFixtures.parseError(text + "#EXT-X-ENDLIST")?.code == .invalid)
    }

    @Test func aKeyAppliesToTheMapAfterIt() throws {
        let playlist = try PlaylistFixtures.media(PlaylistFixtures.fragments)
        let map = try #require(playlist.maps.first)
        #expect(playlist.segments.map(\.map) == [0, 0])
        #expect(map.range == HTTPByteRange(offset: 0, length: 700))
        #expect(map.encryption?.keyAddress.lastPathComponent == "k")
        #expect(map.encryption?.iv == [UInt8](repeating: 0, count: 15) + [9])
        #expect(playlist.segments[1].range == HTTPByteRange(offset: 1700, length: 900))
    }

    @Test func aMapBeforeTheKeyIsNotEncrypted() throws {
        let text = PlaylistFixtures.one(
            "#EXT-X-MAP:URI=\"i.mp4\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\""
        )
        let playlist = try PlaylistFixtures.media(text)
        #expect(playlist.maps.map(\.encryption) == [nil])
        #expect(playlist.segments[0].encryption != nil)
    }

    @Test func eachSegmentHasTheMapBeforeIt() throws {
        let playlist = try PlaylistFixtures.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXTINF:1,
            plain.ts
            #EXT-X-MAP:URI="unused.mp4"
            #EXT-X-MAP:URI="a.mp4"
            #EXTINF:1,
            1.m4s
            #EXT-X-MAP:URI="a.mp4"
            #EXTINF:1,
            2.m4s
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="all.mp4",BYTERANGE="5@0"
            #EXTINF:1,
            3.m4s
            #EXT-X-MAP:URI="all.mp4",BYTERANGE="6@0"
            #EXTINF:1,
            4.m4s
            #EXT-X-MAP:URI="a.mp4"
            #EXTINF:1,
            5.m4s
            #EXT-X-ENDLIST
            """
        )
        #expect(playlist.segments.map(\.map) == [nil, 0, 0, 1, 2, 0])
        let names = playlist.maps.map(\.address.lastPathComponent)
        #expect(names == ["a.mp4", "all.mp4", "all.mp4"])
        #expect(playlist.maps.map(\.range?.length) == [nil, 5, 6])
        let parts = Track(playlist).parts
        #expect(parts.map(\.isInitialization).filter { $0 }.count == 4)
        #expect(
            parts.map(\.address.lastPathComponent) == [
                "plain.ts", "a.mp4", "1.m4s", "2.m4s", "all.mp4", "3.m4s", "all.mp4", "4.m4s",
                "a.mp4", "5.m4s",
            ]
        )
        #expect(parts.map(\.duration) == [1, nil, 1, 1, nil, 1, nil, 1, nil, 1])
    }

    @Test func aPlainKeyBesideOthersIsSufficient() throws {
        let text = PlaylistFixtures.one(
            """
            #EXT-X-KEY:METHOD=AES-128,URI="w",\
            KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            """
        )
        let segments = try PlaylistFixtures.media(text).segments
        #expect(segments[0].encryption?.keyAddress.lastPathComponent == "k")
    }

    @Test func identityIgnoresSignaturesAndReflectsContent() throws {
        let first = try PlaylistFixtures.media(PlaylistFixtures.one("", segment: "a.ts?sig=1"))
        let again = try PlaylistFixtures.media(PlaylistFixtures.one("", segment: "a.ts?sig=2"))
        #expect(first.segments[0].identity == again.segments[0].identity)
        #expect(first.segments[0].identity.description == "6.0 - NONE /show/one/a.ts")
        let others = [
            PlaylistFixtures.one("", segment: "b.ts"),
            PlaylistFixtures.one("", segment: "a.ts?sig=1&part=2"),
            PlaylistFixtures.one("#EXT-X-BYTERANGE:5@0"),
            PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128,URI=\"k\""),
            PlaylistFixtures.one("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"),
        ]
        let identities = try others.map { try PlaylistFixtures.media($0).segments[0].identity }
        #expect(Set(identities + [first.segments[0].identity]).count == 6)
    }
}
