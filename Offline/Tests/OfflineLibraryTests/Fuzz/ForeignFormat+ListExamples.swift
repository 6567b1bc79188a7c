// SPDX-License-Identifier: Apache-2.0

extension ForeignFormat {
    static let feeds = [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
          xmlns:media="http://search.yahoo.com/mrss/">
        <channel><title>Pod &amp;amp; Co</title><ttl>90</ttl><itunes:image href="a.jpg"/>
        <item><title>One</title><guid isPermaLink="false">1</guid>
        <pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate>
        <enclosure url="a.mp3?x=1" type="audio/mpeg" length="7"/></item>
        <item><itunes:title>Two</itunes:title><guid>https://pod.example/2</guid>
        <pubDate>Mon, 2 Mar 26 10:00 +0100</pubDate><description><![CDATA[<p>Notes]]></description>
        <media:content url="https://cdn.example/b.mp4" medium="video" isDefault="true"/></item>
        </channel></rss>
        """,
        """
        <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/x/">
        <title type="html">&lt;b&gt;F&lt;/b&gt;</title>
        <entry xml:base="y/"><id>urn:1</id><updated>2026-03-01T10:00:00.5Z</updated>
        <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <i>b</i></div></title>
        <link rel="enclosure" type="video/mp4" href="1.mp4"/><link href="1.html"/></entry></feed>
        """,
        """
        {"version": "https://jsonfeed.org/version/1.1", "title": "J", "icon": "/i.png",
         "items": [{"id": 7, "title": "One", "url": "1.html", "date_published":
          "2026-03-01T10:00:00+01:00", "attachments": [{"url": "1.mp3", "mime_type": "audio/mpeg",
          "size_in_bytes": 100}]}, {"id": "8", "external_url": "https://b.example/8"}]}
        """,
    ]

    static let exports = [
        """
        {"exportedAt":"2026-01-01T00:00:00Z","format":"offline-library","version":2,\
        "catalog":{"address":"https://school.example/all.json","allowPrivate":false}}
        {"setting":"limit","value":"2M"}
        {"address":"https://a.example/1","createdAt":"2026-01-01T00:00:00Z","quality":"1080p",\
        "audio":"en,de","size":7,"state":"ready","title":"One","fileName":"One.mp4","width":640,\
        "height":360,"duration":61.5,"chapters":[{"start":0,"title":"a"},{"start":5.5,"title":"b"}]}
        {"address":"https://a.example/2","createdAt":"2026-01-01T00:00:00Z","quality":"best",\
        "state":"queued","title":"Two","position":3,"limit":"500K","referrer":"https://a.example/"}
        {"createdAt":"2026-01-01T00:00:00Z","feed":"https://pod.example/f","keep":3,"title":"Pod"}
        {"entry":["guid:1","at:pod.example:443/1"],"published":1772359200,"item":2,"fetched":true}
        {"entry":["guid:2"],"published":1.5}
        {"feeds":1,"items":2}

        """
    ]

    static let chapterList = """
        [{"chapter": 1, "start-time": 0, "duration": 500.1, "titles": [
            {"language": "en", "title": "birth"}, {"language": "es", "title": "nacimiento"}]},
         {"start-time": 500.1, "titles": [{"language": "en"}], "images": [1]},
         {"start-time": 12e2, "titles": [{"title": "life"}]}]
        """

    static let heads = [
        """
        HTTP/1.1 206 Partial Content\r
        Date: Sun, 01 Mar 2026 10:05:00 GMT\r
        Last-Modified: Sun, 01 Mar 2026 10:00:00 GMT\r
        Content-Range: bytes 1000-1999/2000\r
        Content-Length: 1000\r
        Content-Type: video/mp4; codecs="avc1"\r
        \r

        """,
        """
        HTTP/1.1 100 Continue\r
        \r
        HTTP/2 503\r
        retry-after: 120\r
        etag: "a-1"\r
        transfer-encoding: chunked\r
        x-folded: one\r
         two\r
        \r

        """,
        """
        HTTP/1.1 308 Permanent Redirect\r
        Location: ../other/film.mp4?a=1#b\r
        Retry-After: Sun, 01 Mar 2026 10:00:00 GMT\r
        Content-Length: 0\r
        \r

        """,
    ]
}
