// SPDX-License-Identifier: Apache-2.0

@testable import OfflineModel

extension SamplePlaylist {
    /// Returns a playlist of one segment that is refused.
    private static func refused(
        _ name: String,
        _ code: PlaylistErrorCode,
        _ word: String,
        _ tags: String,
        segment: String = "#EXTINF:6,\na.ts"
    ) -> SamplePlaylist {
        SamplePlaylist(
            name,
            .refused(code, word),
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(tags)\n\(segment)\n#EXT-X-ENDLIST\n"
        )
    }

    private static func invalid(_ name: String, _ word: String, segment: String) -> SamplePlaylist {
        refused(name, .invalid, word, "", segment: segment)
    }

    /// Playlists whose copy would be wrong or incomplete.
    static let refusedPlaylists: [SamplePlaylist] = [
        invalid("no number", "EXTINF", segment: "#EXTINF:six,\na.ts"),
        invalid("no value", "EXTINF", segment: "#EXTINF:,\na.ts"),
        invalid("only a point", "EXTINF", segment: "#EXTINF:.,\na.ts"),
        invalid("a negative duration", "EXTINF", segment: "#EXTINF:-6,\na.ts"),
        invalid("an endless duration", "EXTINF", segment: "#EXTINF:inf,\na.ts"),
        invalid("a huge exponent", "EXTINF", segment: "#EXTINF:1e300,\na.ts"),
        invalid("a duration with a unit", "EXTINF", segment: "#EXTINF:6s,\na.ts"),
        invalid("no EXTINF", "EXTINF", segment: "a.ts"),
        invalid("a broken range", "BYTERANGE", segment: "#EXTINF:6,\n#EXT-X-BYTERANGE:x@0\na.ts"),
        invalid("a range with a sign", "BYTERANGE", segment: "#EXT-X-BYTERANGE:-1@0\na.ts"),
        invalid("a range with a fraction", "BYTERANGE", segment: "#EXT-X-BYTERANGE:1.5@0\na.ts"),
        invalid(
            "a range in another file without offset",
            "no offset",
            segment: "#EXTINF:6,\n#EXT-X-BYTERANGE:5@0\na.ts\n#EXTINF:6,\n#EXT-X-BYTERANGE:5\nb.ts"
        ),
        invalid(
            "a first range without offset in the file of the header",
            "no offset",
            segment: "#EXT-X-MAP:URI=\"a.mp4\",BYTERANGE=\"9@0\"\n#EXTINF:6,\n"
                + "#EXT-X-BYTERANGE:5\na.mp4"
        ),
        refused("a header without address", .invalid, "URI", "#EXT-X-MAP:BYTERANGE=\"1@2\""),
        refused("a broken header", .invalid, "EXT-X-MAP", "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"1@x\""),
        refused("two headers in one", .invalid, "twice", "#EXT-X-MAP:URI=\"i\",URI=\"j\""),
        refused("no method", .invalid, "METHOD", "#EXT-X-KEY:URI=\"k\""),
        refused("an open quote", .invalid, "closed", "#EXT-X-KEY:METHOD=AES-128,URI=\"k"),
        refused("a broken vector", .invalid, "IV", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xg"),
        refused("two keys in one", .invalid, "twice", "#EXT-X-KEY:METHOD=NONE,METHOD=AES-128"),
        refused("a key with a comma", .invalid, "no value", "#EXT-X-KEY:METHOD=AES-128,URI=a,b"),
        refused("SAMPLE-AES", .protected, "SAMPLE-AES", "#EXT-X-KEY:METHOD=sample-aes,URI=\"k\""),
        refused("pictures only", .unsupported, "I-FRAMES-ONLY", "#EXT-X-I-FRAMES-ONLY"),
        refused("an undefined variable", .undefinedVariable, "“x”", "", segment: "{$x}/a.ts"),
        refused("a later variable", .undefinedVariable, "“x”", "", segment: "{$x}\n#EXT-X-DEFINE:"),
        refused("a variable without a value", .invalid, "VALUE", "#EXT-X-DEFINE:NAME=\"x\""),
        refused("an odd variable", .invalid, "name", "#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"\""),
        refused("no variable", .invalid, "neither", "#EXT-X-DEFINE:VALUE=\"x\""),
        refused("a parameter", .undefinedVariable, "“x”", "#EXT-X-DEFINE:QUERYPARAM=\"x\""),
        refused("an import", .undefinedVariable, "master", "#EXT-X-DEFINE:IMPORT=\"x\""),
        refused(
            "a variable with two values",
            .invalid,
            "another value",
            "#EXT-X-DEFINE:NAME=\"x\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"2\""
        ),
        refused("only gaps", .empty, "EXT-X-GAP", "#EXT-X-GAP"),
        refused(
            "a number after a segment",
            .invalid,
            "after",
            "#EXTINF:1,\nb\n#EXT-X-MEDIA-SEQUENCE:4"
        ),
        SamplePlaylist(
            "a live stream",
            .refused(.live, "live"),
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"
        ),
        SamplePlaylist(
            "a protected session",
            .refused(.protected, "FairPlay"),
            """
            #EXTM3U
            #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://k",\
            KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            v.m3u8
            """
        ),
        SamplePlaylist(
            "renditions and segments",
            .refused(.invalid, "both"),
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\na\n#EXTINF:1,\nb\n"
        ),
    ]
}
