// SPDX-License-Identifier: Apache-2.0

extension SamplePlaylist {
    /// Returns a playlist of two segments with these tags.
    ///
    /// The argument `first` replaces the lines of the first segment.
    private static func careless(
        _ name: String,
        _ tags: String = "#EXT-X-TARGETDURATION:6",
        first: String = "#EXTINF:6,\na.ts",
        seconds: Double = 12
    ) -> SamplePlaylist {
        SamplePlaylist(
            name,
            .media(2, seconds: seconds),
            "#EXTM3U\n\(tags)\n\(first)\n#EXTINF:6,\nb.ts\n#EXT-X-ENDLIST\n"
        )
    }

    /// Returns a master playlist with these attributes on the larger rendition.
    private static func careless(_ name: String, master: String, media: String = "") -> Self {
        SamplePlaylist(
            name,
            .master(2, best: "large.m3u8"),
            """
            #EXTM3U
            \(media)
            #EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=16x9
            small.m3u8
            #EXT-X-STREAM-INF:\(master)
            large.m3u8
            """
        )
    }

    /// Playlists with mistakes that cost no content.
    static let carelessPlaylists: [SamplePlaylist] = [
        careless("a target duration with a fraction", "#EXT-X-TARGETDURATION:6.5"),
        careless("a target duration with spaces", "#EXT-X-TARGETDURATION: 6 "),
        careless("a target duration with a sign", "#EXT-X-TARGETDURATION:+6"),
        careless("a target duration that is no number", "#EXT-X-TARGETDURATION:six"),
        careless("no target duration", ""),
        careless("an unknown version", "#EXT-X-VERSION:99\n#EXT-X-TARGETDURATION:6"),
        careless("a version that is no number", "#EXT-X-VERSION:x\n#EXT-X-TARGETDURATION:6"),
        careless("two versions", "#EXT-X-VERSION:3\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6"),
        careless("a number with a fraction", "#EXT-X-MEDIA-SEQUENCE:5.0"),
        careless("a number with a sign and spaces", "#EXT-X-MEDIA-SEQUENCE: +5"),
        careless("a duration without a comma", first: "#EXTINF:6\na.ts"),
        careless("a title without a comma", first: "#EXTINF:6 A title\na.ts"),
        careless("spaces around a duration", first: "#EXTINF:  6.0  , A title\na.ts"),
        careless("a tab before a duration", first: "#EXTINF:\t6,\na.ts"),
        careless("a duration with a sign", first: "#EXTINF:+6,\na.ts"),
        careless("a duration without a fraction", first: "#EXTINF:6.,\na.ts"),
        careless("a duration without an integer", first: "#EXTINF:.5,\na.ts", seconds: 6.5),
        careless("a duration with an exponent", first: "#EXTINF:6.0e+00,\na.ts"),
        careless("a duration in upper case", first: "#EXTINF:0.6E1,\na.ts"),
        careless("no duration", first: "#EXTINF:0,\na.ts", seconds: 6),
        careless("tags between a duration and an address", first: "#EXTINF:6,\n#X:1\n# c\n\na.ts"),
        careless("spaces around an address", first: "#EXTINF:6,\n   a.ts  "),
        careless("a title like a tag", first: "#EXTINF:6,#EXT-X-ENDLIST \"\u{fffd}\"\na.ts"),
        careless("a type in lower case", "#EXT-X-PLAYLIST-TYPE:vod"),
        careless("an unknown type", "#EXT-X-PLAYLIST-TYPE:MOVIE"),
        careless("a colon after a tag without a value", "#EXT-X-INDEPENDENT-SEGMENTS:"),
        careless("a space before a colon", "#EXT-X-TARGETDURATION :6"),
        careless("a quoted range", first: "#EXTINF:6,\n#EXT-X-BYTERANGE:\"10@0\"\na.ts"),
        careless("spaces in a range", first: "#EXTINF:6,\n#EXT-X-BYTERANGE: 10 @ 0\na.ts"),
        careless("a first range without offset", first: "#EXTINF:6,\n#EXT-X-BYTERANGE:10\na.ts"),
        careless("a method in lower case", "#EXT-X-KEY:METHOD=aes-128,URI=\"k\",IV=0X1F"),
        careless("spaces in a key", "#EXT-X-KEY: METHOD = AES-128 , URI = \"k\" ,IV=0x1,"),
        careless("an address of a key without quotes", "#EXT-X-KEY:METHOD=AES-128,URI=k?a=b"),
        careless("a method with quotes", "#EXT-X-KEY:METHOD=\"NONE\""),
        careless("the same method twice", "#EXT-X-KEY:METHOD=NONE,METHOD=NONE"),
        careless("an empty key format", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"\""),
        careless("a date that is no date", "#EXT-X-PROGRAM-DATE-TIME:yesterday"),
        careless("attributes of a list of channels", " \t"),
        careless("any order", master: "RESOLUTION=32x18,CODECS=\"avc1\",BANDWIDTH=200"),
        careless("spaces", master: "BANDWIDTH = 200 , RESOLUTION = 32x18"),
        careless("a trailing comma", master: "BANDWIDTH=200,RESOLUTION=32x18,"),
        careless("two commas", master: "BANDWIDTH=200,,RESOLUTION=32x18"),
        careless("quotes where none belong", master: "BANDWIDTH=\"200\",RESOLUTION=\"32x18\""),
        careless("no quotes", master: "CODECS=avc1.4d,mp4a.40.2,BANDWIDTH=200,RESOLUTION=32x18"),
        careless("a duplicate", master: "BANDWIDTH=1,BANDWIDTH=200,RESOLUTION=32x18"),
        careless("text after quotes", master: "NAME=\"a\"b,BANDWIDTH=200,RESOLUTION=32x18"),
        careless("a capital in a size", master: "BANDWIDTH=200,RESOLUTION=32X18"),
        careless("a size with a star", master: "BANDWIDTH=200,RESOLUTION=32*18"),
        careless("a size with a fraction", master: "BANDWIDTH=200,RESOLUTION=32.0x18.0"),
        careless("no readable size", master: "BANDWIDTH=200,RESOLUTION=large"),
        careless("an unknown attribute", master: "X-A.b=1,BANDWIDTH=200.5,RESOLUTION=32x18"),
        careless(
            "tags of a media playlist",
            master: "BANDWIDTH=200,RESOLUTION=32x18",
            media: "#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD"
        ),
        careless(
            "a medium without a type",
            master: "BANDWIDTH=200,RESOLUTION=32x18",
            media: "#EXT-X-MEDIA:GROUP-ID=\"a\"\n#EXT-X-MEDIA:TYPE"
        ),
        SamplePlaylist(
            "attributes in the first line",
            .media(1, seconds: 6),
            "#EXTM3U url-tvg=\"x\"\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST"
        ),
        SamplePlaylist(
            "an end before the segments",
            .media(1, seconds: 6),
            "#EXTM3U\n#EXT-X-ENDLIST\n#EXTINF:6,\na.ts"
        ),
    ]
}
