# SPDX-License-Identifier: Apache-2.0
"""Faults of servers that serve an HLS stream of 12 segments."""

from cases import Case
from harness import media

SEGMENTS = 12
END = "#EXT-X-ENDLIST\n"


def make_streams(folder):
    """Creates the streams of the cases."""
    plain = media.make_stream(folder / "plain", segments=SEGMENTS)
    other = media.make_stream(folder / "other", segments=SEGMENTS, pattern="testsrc")
    tracks = media.make_stream(folder / "tracks", segments=SEGMENTS, pattern="testsrc",
                               options=["-mpegts_start_pid", "0x300"])
    key = folder / "key.bin"
    key.write_bytes(bytes(range(16)))
    information = folder / "key.txt"
    information.write_text(f"key.bin\n{key}\n")
    protected = media.make_stream(folder / "protected", segments=SEGMENTS,
                                  options=["-hls_key_info_file", information])
    return {"plain": plain, "other": other, "tracks": tracks, "protected": protected, "key": key}


def pictures(folder):
    return media.picture_hashes(folder / "stream.m3u8")


def stream_cases(streams):
    plain, other, tracks = streams["plain"], streams["other"], streams["tracks"]
    right, newer = pictures(plain), pictures(other)
    tree = {"/s/": {"directory": str(plain)}}
    text = (plain / "stream.m3u8").read_text()
    part = str(plain / "part5.ts")
    size = (plain / "part5.ts").stat().st_size

    def case(name, routes, right=right, path="/s/stream.m3u8", **more):
        return Case(name, path, {**tree, **routes}, right, **more)

    def segment(name, *routes, right=None):
        return case(f"segment: {name}", {"/s/part5.ts": list(routes)}, right)

    def playlist(name, text, right=None, routes=None):
        return case(f"playlist: {name}", {"/s/stream.m3u8": {"text": text}, **(routes or {})}, right)

    body = text.split("#EXTINF", 1)[1].replace(END, "")
    return [
        case("stream without fault", {}),
        segment("404", {"status": 404, "text": "gone"}),
        segment("503 once", {"status": 503, "text": "later"}, {"file": part}, right=right),
        segment("cut once", {"file": part, "cut": size // 2}, {"file": part}, right=right),
        segment("cut always", {"file": part, "cut": size // 2, "ranges": "ignore"}),
        segment("cut, chunked", {"file": part, "cut": size // 2, "framing": "chunked"}),
        segment("cut, no length", {"file": part, "cut": size // 376 * 188, "framing": "close"}),
        segment("empty", {"text": "", "type": "video/mp2t"}),
        segment("page of the status 200", {"text": "<p>log in", "type": "text/html"}),
        segment("repeats the one before", {"file": str(plain / "part4.ts")}),
        playlist("cut", text[:len(text) // 2]),
        playlist("without first line", text.split("\n", 1)[1]),
        playlist("page of the status 200", "<!doctype html><p>log in"),
        playlist("states twice the time", text.replace("#EXTINF:0.5", "#EXTINF:1.0"), right),
        playlist("lists segments twice", text.replace(END, "#EXTINF" + body + END), right + right),
        playlist("advertisement with other tracks",
                 text.replace(END, "#EXT-X-DISCONTINUITY\n" + "".join(
                     f"#EXTINF:0.500000,\n/t/part{number}.ts\n" for number in range(4)) + END),
                 right + pictures(tracks)[:32], {"/t/": {"directory": str(tracks)}}),
        playlist("addresses of files", text.replace("part5.ts", "file:///etc/hostname")),
        playlist("SAMPLE-AES", text.replace(
            "#EXTINF", '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="/k"\n#EXTINF', 1),
            routes={"/k": {"size": 16, "seed": 1}}),
        case("key: right", {"/s/": {"directory": str(streams["protected"])},
                            "/s/key.bin": {"file": str(streams["key"])}}),
        case("key: wrong", {"/s/": {"directory": str(streams["protected"])},
                            "/s/key.bin": {"size": 16, "seed": 9}}, None),
        case("key: 404", {"/s/": {"directory": str(streams["protected"])},
                          "/s/key.bin": {"status": 404, "text": "gone"}}, None),
        case("resumed stream", {"/s/part6.ts": {"gate": "half"}}, killed_at="half",
             later={"/s/part6.ts": {"file": str(plain / "part6.ts")}}),
        case("resumed, newer segments", {"/s/part6.ts": {"gate": "half"}}, newer, killed_at="half",
             later={"/s/": {"directory": str(other)}, "/s/part6.ts": {"file": str(other / "part6.ts")}},
             resumes=False),
    ]
