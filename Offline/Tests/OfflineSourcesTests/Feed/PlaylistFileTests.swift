// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PlaylistFileTests {
    private static let lists = [
        """
        #EXTM3U
        #PLAYLIST:Talks
        #EXTINF:90 tvg-id="1",One, two
        one.mp3
        # comment
        #EXTINF:7,Three
        https://cdn.example/three.mp3?k=1
        file:///etc/passwd
        """,
        """
        \u{feff}[playlist]\r
        NumberOfEntries=3\r
        file2=https://cdn.example/three.mp3?k=1\r
        Title2=Three\r
        File1=one.mp3\r
        Title1=One, two\r
        File3=file:///etc/passwd\r
        Length1=-1\r
        """,
        """
        <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Talks</title>
        <trackList><track><title>One, two</title><location>one.mp3</location></track>
        <track><location>https://cdn.example/three.mp3?k=1</location><title>Three</title></track>
        <track><location>file:///etc/passwd</location></track></trackList></playlist>
        """,
    ]

    private func parse(_ text: String, at path: String = "/lists/a") throws -> FeedDocument {
        try FeedParser.parse(
            Array(text.utf8),
            at: WebAddress("https://pod.example\(path)"),
            now: FeedParserTests.now
        )
    }

    @Test(arguments: lists)
    func o26_theLinksOfAPlaylistAreEntries(text: String) throws {
        let list = try parse(text)
        #expect(list.isPlaylist)
        #expect(["Talks", ""].contains(list.title))
        #expect(list.entries.map(\.title) == ["One, two", "Three"])
        #expect(
            list.entries.map(\.media?.text) == [
                "https://pod.example/lists/one.mp3", "https://cdn.example/three.mp3?k=1",
            ]
        )
    }

    @Test func aListWithoutAHeaderIsRecognizedByItsName() throws {
        #expect(try parse("one.mp3\ntwo.mp3\n", at: "/a.m3u").entries.count == 2)
        let error = #expect(throws: FeedError.self) { try parse("one.mp3\ntwo.mp3\n") }
        #expect(error?.code == .notAFeed)
    }

    @Test func aStreamIsNoList() {
        let stream = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.ts\n"
        let error = #expect(throws: FeedError.self) { try parse(stream, at: "/a.m3u8") }
        #expect(error?.code == .notAFeed)
    }

    @Test func o26_theFeedsOfAListAreNamed() throws {
        let text = """
            <opml version="2.0"><head><title>Mine</title></head><body><outline text="Group">
            <outline type="rss" text="A" xmlUrl="https://a.example/feed"/>
            <outline type="rss" text="B" xmlUrl="https://b.example/feed?token=secret"/>
            </outline></body></opml>
            """
        let error = try #require(throws: FeedError.self) { try parse(text) }
        #expect(error.message.contains("(OPML) that names 2 feeds"))
        #expect(error.message.contains("offline follow https://a.example/feed"))
        #expect(error.message.contains("https://b.example/feed"))
        #expect(!error.message.contains("secret"))
    }

    @Test(arguments: [
        "[playlist]\nFile1=https://a.example/1.mp3", lists[2],
        "<opml version=\"2.0\"><body/></opml>",
    ])
    func o26_aListThatIsNoMediaIsRecognized(text: String) {
        #expect(ContentSniffer.kind(of: Array(text.utf8)) == .feed)
    }

    @Test func theNumberOfLinksIsLimited() throws {
        var limits = FeedLimits()
        limits.entries = 100
        let text = "#EXTM3U\n" + (0..<101).map { "\($0).mp3\n" }.joined()
        let address = try WebAddress("https://pod.example/a.m3u")
        let error = #expect(throws: FeedError.self) {
            try FeedParser.parse(Array(text.utf8), at: address, limits: limits)
        }
        #expect(error?.code == .tooLarge)
    }
}
