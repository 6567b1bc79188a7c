// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct FeedParserTests {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func parse(
        _ text: String,
        charset: String? = nil,
        limits: FeedLimits = .init()
    ) throws -> FeedDocument {
        try parse(Array(text.utf8), charset: charset, limits: limits)
    }

    private func parse(
        _ bytes: [UInt8],
        charset: String? = nil,
        limits: FeedLimits = .init()
    ) throws -> FeedDocument {
        try FeedParser.parse(
            bytes,
            charset: charset,
            at: WebAddress("https://pod.example/feeds/all.xml"),
            limits: limits,
            now: Self.now
        )
    }

    private func rss(_ items: String, channel: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
          xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"
          xmlns:content="http://purl.org/rss/1.0/modules/content/"
          xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
        <channel><title>Pod &amp;amp; Co</title><image><title>Logo</title></image>
        <atom:link rel="self" href="https://pod.example/feed"/>\(channel)\(items)</channel></rss>
        """
    }

    @Test func aPodcastHasItsEntriesTheNewestFirst() throws {
        let feed = try parse(
            rss(
                """
                <item><title>One</title><guid isPermaLink="false">1</guid>
                <pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate>
                <enclosure url="a.mp3?x=1" type="audio/mpeg" length="7"/></item>
                <item><itunes:title>Two</itunes:title><guid>https://pod.example/2</guid>
                <pubDate>Mon, 2 Mar 26 10:00 +0100</pubDate><itunes:duration>1:00</itunes:duration>
                <content:encoded><![CDATA[<p>Notes</p>]]></content:encoded>
                <enclosure url="https://cdn.example/b.mp3" type="audio/mpeg"/></item>
                """,
                channel: "<ttl>90</ttl>"
            )
        )
        #expect(feed.title == "Pod & Co")
        #expect(feed.period == .seconds(5_400))
        #expect(feed.entries.map(\.title) == ["Two", "One"])
        #expect(feed.entries.map(\.identity) == ["guid:https://pod.example/2", "guid:1"])
        #expect(
            feed.entries.map { $0.media?.text } == [
                "https://cdn.example/b.mp3", "https://pod.example/feeds/a.mp3?x=1",
            ]
        )
        #expect(feed.entries[0].page?.text == "https://pod.example/2")
        #expect(feed.entries[0].published - feed.entries[1].published == 23 * 3_600)
        #expect(feed.withoutMedia == 0)
    }

    @Test func atomHasEnclosuresBasesAndMarkupInTitles() throws {
        let feed = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/x/">
            <title type="html">&lt;b&gt;F&lt;/b&gt;</title>
            <entry xml:base="y/"><id>urn:1</id><updated>2026-03-01T10:00:00.5Z</updated>
            <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <i>film</i></div></title>
            <link href="page"/><link rel="enclosure" href="v.mp4" type="video/mp4"/></entry>
            <entry><id>urn:2</id><title>1 &lt; 2 &amp;amp; 3</title>
            <published>2026-03-02T10:00:00+01:00</published>
            <content src="../c.mp4" type="video/mp4"/></entry></feed>
            """
        )
        #expect(feed.title == "F")
        #expect(feed.entries.map(\.title) == ["1 < 2 &amp; 3", "A film"])
        #expect(
            feed.entries.map { $0.media?.text } == [
                "https://a.example/c.mp4", "https://a.example/x/y/v.mp4",
            ]
        )
        #expect(feed.entries[1].page?.text == "https://a.example/x/y/page")
    }

    @Test func rss1AndJSONFeedsAreRead() throws {
        let first = try parse(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
              xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
            <channel rdf:about="c"><title>Old</title></channel>
            <item rdf:about="urn:i"><title>I</title><link>http://o.example/i</link>
            <dc:date>2026-01-01</dc:date></item></rdf:RDF>
            """
        )
        #expect(first.title == "Old")
        #expect(first.entries.map(\.identity) == ["guid:urn:i"])
        #expect(first.withoutMedia == 1)
        #expect(first.entries[0].address(orPage: false) == nil)
        #expect(first.entries[0].address(orPage: true)?.text == "http://o.example/i")
        let second = try parse(
            #"""
            {"version":"https:\/\/jsonfeed.org\/version\/1.1","title":"J","items":[
             {"id":7,"title":"T","date_published":"2026-03-01T10:00:00-05:00","attachments":[
              {"url":"n.jpg","mime_type":"image/jpeg"},{"url":"n.m4a","mime_type":"audio/mp4"}]},
             {"id":"8","url":"file:///etc/passwd"},{"id":"9","url":"p","title":3},"x"]}
            """#
        )
        #expect(second.entries.map(\.identity) == ["guid:7", "guid:9"])
        #expect(second.entries[0].media?.text == "https://pod.example/feeds/n.m4a")
        #expect(second.withoutMedia == 1)
    }

    @Test func theBestOfSeveralEnclosuresIsTaken() throws {
        let feed = try parse(
            rss(
                """
                <item><guid>1</guid><enclosure url="1.jpg" type="image/jpeg"/>
                <enclosure url="1.pdf" type="application/pdf"/><enclosure url="1.mp3" type="audio/mpeg"/>
                <enclosure url="1.ogg" type="audio/ogg"/></item>
                <item><guid>2</guid><media:group><media:content url="2a.mp4" type="video/mp4"/>
                <media:content url="2b.mp4" medium="video" isDefault="true"/></media:group>
                <media:content url="2.png" medium="image"/></item>
                <item><guid>3</guid><link>p</link><enclosure url="3.png"/>
                <media:content url="https://www.youtube.com/v/x" type="application/x-shockwave-flash"/>
                </item>
                <item><guid>4</guid><enclosure url="javascript:alert(1)" type="audio/mpeg"/>
                <enclosure url="file:///etc/passwd" type="audio/mpeg"/></item>
                """
            )
        )
        let names = feed.entries.map { $0.media?.lastPathComponent }
        #expect(names == ["1.mp3", "2b.mp4", nil])
        #expect(feed.withoutMedia == 1)
    }

    @Test func thePictureOfAnEntryOrOfItsFeedIsFound() throws {
        let feed = try parse(
            rss(
                """
                <item><enclosure url="1.mp3"/><media:thumbnail url="t.jpg"/>
                <itunes:image href="/1.png"/></item>
                <item><enclosure url="2.mp3"/><media:group><media:thumbnail url="2.jpg"/>
                <media:thumbnail url="3.jpg"/></media:group></item>
                <item><enclosure url="3.mp3"/><itunes:image href="file:///etc/passwd"/></item>
                """,
                channel: "<itunes:image href='all.jpg'/>"
            )
        )
        #expect(
            feed.entries.map { $0.picture?.path } == ["/1.png", "/feeds/2.jpg", "/feeds/all.jpg"]
        )
        let other = try parse(
            #"""
            {"version":"https://jsonfeed.org/version/1.1","icon":"i.png","items":[
             {"id":"1","url":"a","image":"a.png"},{"id":"2","url":"b"}]}
            """#
        )
        #expect(other.entries.map { $0.picture?.lastPathComponent } == ["a.png", "i.png"])
    }

    @Test func anIdentifierOfSeveralMediaIsNone() throws {
        let feed = try parse(
            rss(
                """
                <item><guid>same</guid><enclosure url="1.mp3" type="audio/mpeg"/></item>
                <item><guid>same</guid><enclosure url="2.mp3?token=abc" type="audio/mpeg"/></item>
                <item><enclosure url="2.mp3?token=def" type="audio/mpeg"/></item>
                <item><guid> </guid><enclosure url="3.mp3" type="audio/mpeg"/></item>
                <item><guid>twice</guid><enclosure url="4.mp3" type="audio/mpeg"/></item>
                <item><guid>twice</guid><enclosure url="4.mp3" type="audio/mpeg"/></item>
                """
            )
        )
        #expect(
            feed.entries.map(\.identity) == [
                "at:pod.example:443/feeds/1.mp3", "at:pod.example:443/feeds/2.mp3?token=abc",
                "at:pod.example:443/feeds/2.mp3?token=def", "at:pod.example:443/feeds/3.mp3",
                "guid:twice",
            ]
        )
    }

    @Test func o26_aParameterThatMayNameTheEntryIsNoSignature() throws {
        func key(_ query: String) throws -> String {
            FeedKeys([]).key(of: try WebAddress("https://a.example/get?" + query))
        }
        for query in ["id=6f9619ff8b86d011b42d00cf4fc964ff", "t=one", "hash=1f", "st=x&sp=y"] {
            #expect(try key(query) == "at:a.example:443/get?" + query)
        }
        #expect(try key("id=7&Expires=1790000000&Signature=x") == "at:a.example:443/get?id=7")
        #expect(try key("st=2026-01-01&se=2027-01-01&sp=r&sv=x&sig=y") == "at:a.example:443/get")
    }

    @Test func wrongDatesTakeThoseOfTheirNeighbors() throws {
        let dates = ["Thu, 01 Jan 2099 00:00:00 GMT", "2026-02-02", "yesterday", "2026-02-03"]
        let items = dates.enumerated().map { number, date in
            "<item><guid>\(number)</guid><pubDate>\(date)</pubDate>"
                + "<enclosure url='\(number).mp3' type='audio/mpeg'/></item>"
        }
        let feed = try parse(rss(items.joined()))
        #expect(feed.entries.map(\.identity) == ["guid:3", "guid:0", "guid:1", "guid:2"])
        let undated = try parse(
            rss((0..<3).map { "<item><enclosure url='\($0).mp3'/></item>" }.joined())
        )
        #expect(undated.entries.map { $0.media?.lastPathComponent } == ["0.mp3", "1.mp3", "2.mp3"])
        // All of these entries are newer than the entries of an earlier document.
        let times = undated.entries.map(\.published)
        #expect(times[0] > times[2])
        #expect(times[2] > Self.now.timeIntervalSince1970 - 0.5)
    }

    @Test func otherEncodingsAreRead() throws {
        let text = "<?xml version='1.0' encoding='ISO-8859-1'?><rss><channel><title>Caf\u{e9}"
        let rest = "</title><item><enclosure url='a.mp3'/></item></channel></rss>"
        let latin = (text + rest).unicodeScalars.map { UInt8($0.value) }
        #expect(try parse(latin, charset: "utf-8").title == "Café")
        #expect(try parse([0xef, 0xbb, 0xbf] + Array((text + rest).utf8)).title == "Café")
        let wide = Array((text + rest).utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        #expect(try parse(wide).title == "Café")
        #expect(try parse([0xff, 0xfe] + wide).title == "Café")
    }
}
