// SPDX-License-Identifier: Apache-2.0

extension SamplePlaylist {
    /// Playlists in the style of Apple's tools and examples.
    static let applePlaylists: [SamplePlaylist] = [
        SamplePlaylist(
            "Apple: transport stream",
            .media(3, seconds: 29.97),
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-VERSION:3
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXTINF:9.99,
            fileSequence0.ts
            #EXTINF:9.99,
            fileSequence1.ts
            #EXTINF:9.99,
            fileSequence2.ts
            #EXT-X-ENDLIST
            """
        ),
        SamplePlaylist(
            "Apple: one fragmented file",
            .media(2, seconds: 12),
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-VERSION:7
            #EXT-X-MEDIA-SEQUENCE:1
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="main.mp4",BYTERANGE="719@0"
            #EXTINF:6.00000,
            #EXT-X-BYTERANGE:1508000@719
            main.mp4
            #EXTINF:6.00000,
            #EXT-X-BYTERANGE:1510244@1508719
            main.mp4
            #EXT-X-ENDLIST
            """
        ),
        SamplePlaylist(
            "Apple: bipbop master",
            .master(2, best: "prog_index.m3u8"),
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="bipbop_audio",LANGUAGE="eng",NAME="Audio 1",\
            AUTOSELECT=YES,DEFAULT=YES
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="bipbop_audio",LANGUAGE="eng",NAME="Audio 2",\
            AUTOSELECT=NO,DEFAULT=NO,URI="alternate_audio_aac/prog_index.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",DEFAULT=YES,AUTOSELECT=YES,\
            FORCED=NO,LANGUAGE="en",CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog"\
            ,URI="subtitles/eng/prog_index.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=263851,CODECS="mp4a.40.2, avc1.4d400d",RESOLUTION=416x234,\
            AUDIO="bipbop_audio",SUBTITLES="subs"
            gear1/prog_index.m3u8
            #EXT-X-I-FRAME-STREAM-INF:URI="gear1/iframe_index.m3u8",CODECS="avc1.4d400d",BANDWIDTH=2
            #EXT-X-STREAM-INF:BANDWIDTH=577610,CODECS="mp4a.40.2, avc1.4d401e",RESOLUTION=640x360,\
            AUDIO="bipbop_audio",SUBTITLES="subs"
            gear2/prog_index.m3u8
            """
        ),
        SamplePlaylist(
            "Apple: a recorded low-latency stream",
            .media(2, seconds: 8),
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-VERSION:9
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0
            #EXT-X-PART-INF:PART-TARGET=0.33334
            #EXT-X-MEDIA-SEQUENCE:266
            #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:13:36.106Z
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:4.00008,
            fileSequence266.mp4
            #EXT-X-PART:DURATION=0.33334,URI="filePart267.0.mp4",INDEPENDENT=YES
            #EXTINF:3.99992,
            fileSequence267.mp4
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart268.0.mp4"
            #EXT-X-RENDITION-REPORT:URI="../1M/x.m3u8",LAST-MSN=273,LAST-PART=3
            #EXT-X-ENDLIST
            """
        ),
        SamplePlaylist(
            "Apple: variables in every place",
            .media(2, seconds: 8),
            """
            #EXTM3U
            #EXT-X-VERSION:8
            #EXT-X-DEFINE:NAME="path",VALUE="v1/720"
            #EXT-X-DEFINE:NAME="key",VALUE="{$path}/key"
            #EXT-X-DEFINE:NAME="iv",VALUE="0x1f"
            #EXT-X-DEFINE:QUERYPARAM="token"
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="{$key}",IV={$iv}
            #EXT-X-MAP:URI="{$path}/init.mp4?t={$token}"
            #EXTINF:4,{$title}
            {$path}/1.m4s?t={$token}
            #EXTINF:4,
            https://{$path}.example/{$}{$not a name}.m4s
            #EXT-X-ENDLIST
            """.replacing("https://{$path}.example/", with: "")
        ),
        SamplePlaylist(
            "Apple: gaps",
            .media(2, seconds: 24),
            """
            #EXTM3U
            #EXT-X-VERSION:8
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            1.ts
            #EXT-X-GAP
            #EXTINF:6,
            2.ts
            #EXTINF:6,
            #EXT-X-GAP
            data:,no-address
            #EXTINF:6,
            4.ts
            #EXT-X-ENDLIST
            """
        ),
        SamplePlaylist(
            "Apple: content steering, dates and sessions",
            .master(1, best: "video.m3u8"),
            """
            #EXTM3U
            #EXT-X-VERSION:12
            #EXT-X-CONTENT-STEERING:SERVER-URI="/steering?video=00012",PATHWAY-ID="CDN-A"
            #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="Title, with a comma"
            #EXT-X-START:TIME-OFFSET=-2.5,PRECISE=YES
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,PATHWAY-ID="CDN-A",SCORE=2.5,\
            SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",VIDEO-RANGE=PQ,HDCP-LEVEL=NONE
            https://backup.example/content/videos/video12/low/video.m3u8
            """
        ),
        SamplePlaylist(
            "Apple: a session key that is usable",
            .master(1, best: "v.m3u8"),
            """
            #EXTM3U
            #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
            #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://k",\
            KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            v.m3u8
            """
        ),
    ]
}
