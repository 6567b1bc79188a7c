// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PlaylistChaptersTests {
    private func chapters(_ json: String) -> [Chapter]? {
        SessionChapters([UInt8](json.utf8))?.chapters
    }

    @Test func theChaptersOfADocumentHaveTheirFirstTitle() {
        let json = """
            [{"chapter": 1, "start-time": 0, "titles": [
                {"language": "en", "title": "birth"}, {"language": "es", "title": "nacimiento"}]},
             {"start-time": 500.1, "duration": 10, "titles": [{"language": "en"}], "images": [1]},
             {"titles": [{"title": "no start"}]}, 7, {"start-time": "1"}]
            """
        #expect(
            chapters(json) == [
                Chapter(start: 0, title: "birth"), Chapter(start: 500.1, title: "Chapter 2"),
            ]
        )
    }

    @Test(arguments: ["", "{}", "[", "[[[", "null", "\"a\""])
    func otherDocumentsHaveNoChapters(_ json: String) {
        #expect(chapters(json) == nil)
    }

    @Test func theMasterPlaylistNamesTheDocument() throws {
        let playlist = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="v",VALUE="c"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="A film"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="file:///etc/passwd"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="{$v}.json"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters
            #EXT-X-STREAM-INF:BANDWIDTH=1
            a.m3u8

            """
        let master = try PlaylistFixtures.master(playlist)
        #expect(master.chapters?.lastPathComponent == "c.json")
    }

    @Test func aMediaPlaylistMayHoldDataOfSessions() throws {
        let playlist = """
            #EXTM3U
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="c.json"
            #EXT-X-TARGETDURATION:5
            #EXTINF:5,
            a.ts
            #EXT-X-ENDLIST

            """
        #expect(try PlaylistFixtures.media(playlist).segments.count == 1)
    }

    @Test func datesOfChaptersBecomeTimes() throws {
        let playlist = """
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-DATERANGE:ID="b",CLASS="com.example.Chapter",START-DATE="2026-01-01T00:00:14.5Z",X-TITLE="Two"
            #EXT-X-DATERANGE:ID="ad",CLASS="com.example.ad",START-DATE="2026-01-01T00:00:01Z",X-TITLE="Ad"
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T01:00:00.000+01:00
            #EXTINF:10,
            a.ts
            #EXT-X-DATERANGE:ID="a",CLASS="chapter",START-DATE="2026-01-01T00:00:00Z",X-NAME="One"
            #EXT-X-DATERANGE:ID="a",CLASS="chapter",START-DATE="2026-01-01T00:00:03Z",X-NAME="Again"
            #EXTINF:10,
            b.ts
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T05:00:00Z
            #EXTINF:10,
            c.ts
            #EXT-X-DATERANGE:ID="c",CLASS="chapter",START-DATE="2026-01-01T05:00:02Z"
            #EXT-X-DATERANGE:ID="d",CLASS="chapter",START-DATE="2025-01-01T05:00:02Z"
            #EXT-X-DATERANGE:ID="e",CLASS="chapter",START-DATE="yesterday"
            #EXT-X-ENDLIST

            """
        #expect(
            try PlaylistFixtures.media(playlist).chapters == [
                Chapter(start: 0, title: "One"), Chapter(start: 14.5, title: "Two"),
                Chapter(start: 22, title: "Chapter 3"),
            ]
        )
    }
}
