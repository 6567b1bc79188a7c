// SPDX-License-Identifier: Apache-2.0

/// Sample playlists in the style of common packagers.
package enum PlaylistFixtures {
    /// The address of the playlists.
    package static let base = "https://cdn.example/show/one/index.m3u8?token=secret"

    /// Segments without keys and ranges.
    package static let plain = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:7
        #EXT-X-MEDIA-SEQUENCE:5
        #EXTINF:6.006,
        seg 1.ts
        #EXTINF:6,A title, with a comma
        ../two/seg%202.ts?x=1
        # a comment
        #EXT-X-SOMETHING-NEW:A=B
        #EXT-X-DISCONTINUITY
        #EXTINF:1.5
        //other.example/seg3.ts

        #EXT-X-ENDLIST
        """

    /// Segments with keys.
    package static let keys = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:258
        #EXTINF:6,
        clear.ts
        #EXT-X-KEY:METHOD=AES-128,URI="key?id=1,2"
        #EXTINF:6,
        a.ts
        #EXTINF:6,
        b.ts
        #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/k2",IV=0xff01,KEYFORMAT="identity"
        #EXTINF:6,
        c.ts
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:6,
        d.ts
        #EXT-X-ENDLIST
        """

    /// Segments that are ranges of one file.
    package static let ranges = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXTINF:6,
        #EXT-X-BYTERANGE:100@20
        all.ts
        #EXT-X-BYTERANGE:50
        #EXTINF:6,
        all.ts
        #EXTINF:6,
        #EXT-X-BYTERANGE:7@500
        all.ts
        #EXT-X-ENDLIST
        """

    /// Segments with an initialization section.
    package static let fragments = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:9
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-KEY:METHOD=AES-128,URI="k"
        #EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"
        #EXTINF:4,
        #EXT-X-BYTERANGE:1000@700
        all.mp4
        #EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"
        #EXTINF:4,
        #EXT-X-BYTERANGE:900
        all.mp4
        """

    /// A master playlist.
    package static let master = """
        #EXTM3U
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="in",NAME="English",DEFAULT=YES
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="in",NAME="French",URI="fr.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",URI="en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.4d,mp4a.40.2"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1800000,RESOLUTION=1280x720,\
        FRAME-RATE=29.970,CODECS="avc1.64001f,mp4a.40.2",AUDIO="in",SUBTITLES="s"
        mid.m3u8?sig=a,b
        #EXT-X-STREAM-INF:BANDWIDTH=1500000,RESOLUTION=1280x720
        mid-slow.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=1920x1080,AUDIO="out"
        silent.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
        sound.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="out",NAME="English",URI="aud.m3u8"
        """

    /// All sample playlists.
    package static let all = [plain, keys, ranges, fragments, master]

    /// Returns a media playlist with `lines` before the only segment.
    package static func one(
        _ lines: String,
        segment: String = "a.ts",
        end: String = "#EXT-X-ENDLIST"
    ) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(lines)\n#EXTINF:6,\n\(segment)\n\(end)\n"
    }
}
