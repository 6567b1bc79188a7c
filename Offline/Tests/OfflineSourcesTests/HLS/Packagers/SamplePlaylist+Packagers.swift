// SPDX-License-Identifier: Apache-2.0

extension SamplePlaylist {
    /// Returns a media playlist with an end.
    private static func media(_ header: String, _ segments: String...) -> String {
        "#EXTM3U\n" + header + "\n" + segments.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
    }

    /// Playlists in the style of other packagers and services.
    static let packagerPlaylists: [SamplePlaylist] = [
        SamplePlaylist(
            "Shaka: fragments in one file",
            .media(2, seconds: 9.5),
            media(
                """
                #EXT-X-VERSION:6
                ## Generated with a packager
                #EXT-X-TARGETDURATION:5
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-MAP:URI="video.mp4",BYTERANGE="812@0"
                """,
                "#EXTINF:5.000,\n#EXT-X-BYTERANGE:1000@880\nvideo.mp4",
                "#EXTINF:4.500,\n#EXT-X-BYTERANGE:900\nvideo.mp4"
            )
        ),
        SamplePlaylist(
            "Shaka: master with separate sound",
            .master(2, best: "h264_720p.m3u8"),
            """
            #EXTM3U
            ## Generated with a packager
            #EXT-X-INDEPENDENT-SEGMENTS

            #EXT-X-MEDIA:TYPE=AUDIO,URI="audio.m3u8",GROUP-ID="audio",LANGUAGE="en",NAME="ENGLISH",\
            DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2"

            #EXT-X-STREAM-INF:BANDWIDTH=571820,AVERAGE-BANDWIDTH=438321,\
            CODECS="avc1.42c01e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,AUDIO="audio",\
            CLOSED-CAPTIONS=NONE
            h264_360p.m3u8

            #EXT-X-STREAM-INF:BANDWIDTH=1571820,AVERAGE-BANDWIDTH=1438321,\
            CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="audio",\
            CLOSED-CAPTIONS=NONE
            h264_720p.m3u8
            """
        ),
        SamplePlaylist(
            "Bento4: encrypted with a number",
            .media(2, seconds: 20.02),
            media(
                """
                #EXT-X-VERSION:3
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-TARGETDURATION:10
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x00000000000000000000000000000001
                """,
                "#EXTINF:10.010000,\nsegment-0.ts\n#EXTINF:10.010000,\nsegment-1.ts"
            )
        ),
        SamplePlaylist(
            "Bento4: master with a comment",
            .master(1, best: "stream.m3u8"),
            """
            #EXTM3U
            # Created with a tool

            #EXT-X-VERSION:4

            # Media
            #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=2,CODECS="avc1",RESOLUTION=640x480
            media-1/stream.m3u8
            """
        ),
        SamplePlaylist(
            "ffmpeg: event that has ended",
            .media(2, seconds: 4.1),
            media(
                "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n"
                    + "#EXT-X-PLAYLIST-TYPE:EVENT",
                "#EXTINF:2.000000,\nout0.ts\n#EXTINF:2.100000,\nout1.ts"
            )
        ),
        SamplePlaylist(
            "ffmpeg: absolute dates and a discontinuity",
            .media(2, seconds: 4),
            media(
                "#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n#EXT-X-ALLOW-CACHE:YES",
                "#EXTINF:2.000000,\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000+0000\nout0.ts",
                "#EXT-X-DISCONTINUITY\n#EXTINF:2.000000,\nout1.ts"
            )
        ),
        SamplePlaylist(
            "ffmpeg: master",
            .master(1, best: "stream_0.m3u8"),
            "#EXTM3U\n#EXT-X-VERSION:6\n"
                + #"#EXT-X-STREAM-INF:BANDWIDTH=140800,RESOLUTION=160x90,CODECS="avc1.42c00b""#
                + "\nstream_0.m3u8\n\n"
        ),
        SamplePlaylist(
            "Wowza: chunk lists",
            .master(1, best: "chunklist_w182949.m3u8"),
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-STREAM-INF:BANDWIDTH=1113600,CODECS="avc1.66.30,mp4a.40.2",RESOLUTION=512x288
            chunklist_w182949.m3u8
            """
        ),
        SamplePlaylist(
            "Wowza: integers and long titles",
            .media(2, seconds: 20.24),
            media(
                "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:12\n#EXT-X-MEDIA-SEQUENCE:1",
                "#EXTINF:11.52,\nmedia_w182949_1.ts\n#EXTINF:8.72, title=\"x\"\nmedia_2.ts"
            )
        ),
        SamplePlaylist(
            "nginx-vod: cached, with clips",
            .media(2, seconds: 16),
            media(
                "#EXT-X-TARGETDURATION:10\n#EXT-X-ALLOW-CACHE:YES\n#EXT-X-PLAYLIST-TYPE:VOD\n"
                    + "#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:1",
                "#EXTINF:10.000,\nhttp://v.example/hls/a.mp4/seg-1-v1-a1.ts",
                "#EXT-X-DISCONTINUITY\n#EXTINF:6.000,\nhttp://v.example/hls/b.mp4/seg-2-v1-a1.ts"
            )
        ),
        SamplePlaylist(
            "Akamai: signed relative addresses",
            .media(2, seconds: 20),
            media(
                "#EXT-X-TARGETDURATION:10\n#EXT-X-ALLOW-CACHE:YES\n#EXT-X-KEY:METHOD=NONE\n"
                    + "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-VERSION:3",
                "#EXTINF:10.000,\n../../i/x_,1,2,.csmil/segment1_0_av.ts?null=0&hdntl=exp=1~acl=/*",
                "#EXTINF:10.000,\nsegment2_0_av.ts?null=0"
            )
        ),
        SamplePlaylist(
            "Akamai: only sound in the last rendition",
            .master(2, best: "index_0_av.m3u8"),
            """
            #EXTM3U
            #EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=328000,RESOLUTION=320x180,CODECS="avc1.66.30"
            https://x.example/i/index_0_av.m3u8?null=0
            #EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=40000,CODECS="mp4a.40.2"
            https://x.example/i/index_0_a.m3u8?null=0
            """
        ),
        SamplePlaylist(
            "MediaConvert: bit rates and dates",
            .media(2, seconds: 12),
            media(
                "#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:1\n"
                    + "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-BITRATE:1200",
                "#EXTINF:6,\nfilm_720_00001.ts\n#EXTINF:6,\nfilm_720_00002.ts"
            )
        ),
        SamplePlaylist(
            "MediaPackage: advertisements",
            .media(3, seconds: 18),
            media(
                "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:7\n#EXT-X-MEDIA-SEQUENCE:1",
                "#EXTINF:6.006,\n1.ts?m=15",
                "#EXT-X-DATERANGE:ID=\"1\",START-DATE=\"2026-01-01T00:00:00Z\",SCTE35-OUT=0xFC30\n"
                    + "#EXT-X-CUE-OUT:6\n#EXT-X-DISCONTINUITY\n#EXTINF:5.994,\nad.ts",
                "#EXT-X-CUE-IN\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\n2.ts?m=15"
            )
        ),
        SamplePlaylist(
            "Unified: dates before each segment and time in names",
            .media(2, seconds: 3.84),
            media(
                "#EXT-X-VERSION:4\n## A server\n#EXT-X-MEDIA-SEQUENCE:1\n"
                    + "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-TARGETDURATION:2\n#USP-X-MEDIA:A=\"b\"",
                "#EXTINF:1.92, no desc\nfilm-audio=128000-video=400000-1.ts",
                "#EXTINF:1.92, no desc\nfilm-audio=128000-video=400000-2.ts"
            )
        ),
        SamplePlaylist(
            "JW: manifest with redundant renditions",
            .master(3, best: "a.mp4.m3u8"),
            """
            #EXTM3U
            #EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=640000, RESOLUTION=640x360
            https://cdn-a.example/strips/c.mp4.m3u8
            #EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=1240000, RESOLUTION=1280x720
            https://cdn-a.example/strips/a.mp4.m3u8
            #EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=1240000, RESOLUTION=1280x720
            https://cdn-b.example/strips/b.mp4.m3u8
            """
        ),
        SamplePlaylist(
            "Video on demand of a live service",
            .media(3, seconds: 27),
            media(
                "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#ID3-EQUIV-TDTG:2026-01-01T00:00:00\n"
                    + "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-MEDIA-SEQUENCE:0\n"
                    + "#EXT-X-SERVICE-ELAPSED-SECS:0.000\n#EXT-X-SERVICE-TOTAL-SECS:27.000",
                "#EXTINF:10.000,\n0.ts\n#EXTINF:10.000,\n1-muted.ts\n#EXTINF:7.000,\n2.ts"
            )
        ),
        SamplePlaylist(
            "Variant groups of a live service",
            .master(2, best: "chunked.m3u8"),
            """
            #EXTM3U
            #EXT-X-SERVICE-INFO:NODE="x",CLUSTER="y",SUPPRESS="true"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="chunked",NAME="1080p60",AUTOSELECT=YES,DEFAULT=YES
            #EXT-X-STREAM-INF:BANDWIDTH=8000000,CODECS="avc1.64002A,mp4a.40.2",\
            RESOLUTION=1920x1080,VIDEO="chunked",FRAME-RATE=60.000
            https://x.example/chunked.m3u8
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="audio_only",NAME="Audio Only",AUTOSELECT=NO,DEFAULT=NO
            #EXT-X-STREAM-INF:BANDWIDTH=160000,CODECS="mp4a.40.2",VIDEO="audio_only"
            https://x.example/audio.m3u8
            """
        ),
    ]
}
