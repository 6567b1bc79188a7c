// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures

extension ForeignFormat {
    static let manifests = [
        ManifestFixtures.manifest(
            """
            <AdaptationSet contentType="video"><Representation id="0" mimeType="video/mp4"
              codecs="avc1.42c00d" bandwidth="91006" width="320" height="180">
              <SegmentTemplate timescale="16384" initialization="init$RepresentationID$.m4s"
              media="chunk$RepresentationID$-$Number%05d$.m4s" startNumber="1">
              <SegmentTimeline><S t="0" d="65536" r="1" /><S d="32768"/></SegmentTimeline>
            </SegmentTemplate></Representation></AdaptationSet>
            <AdaptationSet contentType="audio" lang="eng"><Representation id="1"
              mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="128000">
              <SegmentTemplate timescale="44100" duration="176400" media="a$Number$.m4s"
              initialization="a.m4s" startNumber="1"/></Representation></AdaptationSet>
            """
        ),
        ManifestFixtures.manifest(
            """
            <AdaptationSet contentType="video"><Representation id="0" mimeType="video/mp4"
              codecs="avc1.640015" bandwidth="1" width="640" height="360">
              <BaseURL>v.mp4</BaseURL>
              <SegmentList timescale="1000000" duration="5000000" startNumber="1">
              <Initialization range="0-830" /><SegmentURL mediaRange="831-1000"/>
              <SegmentURL mediaRange="1001-2000"/></SegmentList></Representation></AdaptationSet>
            <AdaptationSet contentType="text" lang="de" mimeType="text/vtt"><Representation id="2"
              bandwidth="1"><BaseURL>de.vtt</BaseURL></Representation></AdaptationSet>
            """
        ),
    ]

    static let subtitle = """
        WEBVTT - A title
        X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

        STYLE
        ::cue { color: red }

        first
        00:01.000 --> 00:02.500 line:90% align:start position:10%,line-left
        One <i>Two</i> &amp; <c.red>three</c>

        1:00:00.000 --> 1:00:01.000
        Four
        """

    static let siteDocument = """
        {"title": "A film", "duration": 61.5, "webpage_url": "https://a.example/1", "formats": [
         {"format_id": "1", "url": "https://m.example/1", "protocol": "https", "height": 720.0,
          "width": 1280, "vcodec": "avc1.64", "acodec": "none", "ext": "mp4", "tbr": 1200.5},
         {"format_id": "2", "url": "https://m.example/2", "protocol": "https", "height": null,
          "vcodec": "none", "acodec": "mp4a.40", "ext": "m4a", "filesize": 1000}]}
        """

    static let cookieFile = """
        # Netscape HTTP Cookie File
        .a.example\tTRUE\t/\tTRUE\t1893456000\tname\tvalue
        #HttpOnly_b.example\tFALSE\t/film\tFALSE\t0\tsession\t"quoted"
        """

    static let pasted = """
        See <https://a.example/film.mp4>, (www.b.example/2?x=1#y), [three](http://c.example/3).
        192.168.0.1:8080/4.m3u8 user:secret@d.example/5 “https://münchen.example/6” javascript:
        """
}
