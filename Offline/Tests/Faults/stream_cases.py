# SPDX-License-Identifier: Apache-2.0
"""Faults of servers that serve an HLS stream of 12 segments."""

import shutil

from cases import Case
from harness import media

SEGMENTS = 12
END = "#EXT-X-ENDLIST\n"
FRAGMENTS = ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4",
             "-hls_segment_filename", "part%d.m4s"]


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
    short = media.make_stream(folder / "short", segments=SEGMENTS, options=[
        "-vf", "select='lt(mod(t,0.5),0.3)'", "-fps_mode", "passthrough", "-g", "100",
        "-force_key_frames", "expr:gte(t,n_forced*0.5)"])
    hevc = media.make_stream(folder / "hevc", segments=SEGMENTS, options=[
        "-c:v", "libx265", "-x265-params", "log-level=none:keyint=8:min-keyint=8:scenecut=0"])
    fragments, larger = (media.make_stream(folder / size, FRAGMENTS, SEGMENTS, size)
                         for size in ("320x180", "640x360"))
    languages = media.make_languages(folder / "languages", ["en", "de"], SEGMENTS / 2)
    return {"plain": plain, "other": other, "tracks": tracks, "protected": protected, "key": key,
            "short": short, "hevc": hevc, "languages": languages, "fragments": fragments,
            "larger": larger,
            "mute": make_mute(plain, folder / "mute"), "apart": make_apart(plain, folder / "apart"),
            "packed": make_packed(plain, folder / "packed"),
            "equal": make_equal([plain, other], folder / "equal")}


def packets(path):
    content = path.read_bytes()
    return [content[place:place + 188] for place in range(0, len(content), 188)]


def make_mute(stream, folder):
    """Copies a stream and removes the sound of the second half."""
    shutil.copytree(stream, folder)
    for number in range(SEGMENTS // 2, SEGMENTS):
        path = folder / f"part{number}.ts"
        path.write_bytes(b"".join(packet for packet in packets(path)
                                  if (packet[1] & 0x1f) << 8 | packet[2] != 0x101))
    return folder


def make_apart(stream, folder):
    """Copies a stream with packet counters that restart in each segment."""
    folder.mkdir()
    for number in range(SEGMENTS):
        name = f"part{number}.ts"
        media.ffmpeg("-copyts", "-i", stream / name, "-c", "copy", "-mpegts_copyts", "1",
                     "-f", "mpegts", folder / name)
    return folder


def make_packed(stream, folder):
    """Copies the sound of a stream as AAC and cuts four segments to a tenth of the length."""
    folder.mkdir()
    for number in range(SEGMENTS):
        path = folder / f"part{number}.aac"
        media.ffmpeg("-i", stream / f"part{number}.ts", "-vn", "-c", "copy", path)
        if 4 <= number < 8:
            path.write_bytes(path.read_bytes()[:path.stat().st_size // 10])
    return folder


def make_equal(streams, folder):
    """Copies two streams into `0` and `1`, pads the segments to equal lengths, and returns both."""
    empty = b"\x47\x1f\xff\x10" + b"\xff" * 184
    copies = [folder / str(number) for number, _ in enumerate(streams)]
    for stream, copy in zip(streams, copies):
        shutil.copytree(stream, copy)
    for number in range(SEGMENTS):
        paths = [copy / f"part{number}.ts" for copy in copies]
        length = max(path.stat().st_size for path in paths)
        for path in paths:
            missing = (length - path.stat().st_size) // len(empty)
            path.write_bytes(path.read_bytes() + empty * missing)
    return copies


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

    def unchecked(folder, **more):
        """Returns the routes of segments without a name for their version."""
        return {f"/s/part{number}.ts": {"file": str(folder / f"part{number}.ts"), **more}
                for number in range(SEGMENTS)}

    def languages(cut):
        """Returns the routes of a stream with two languages of sound and one playlist half as
        long."""
        folder = streams["languages"]
        lists = {name: (folder / name).read_text() for name in ("list0.m3u8", "list1.m3u8", "list2.m3u8")}
        lists[cut] = "#EXTINF".join(lists[cut].split("#EXTINF")[:SEGMENTS // 2 + 1]) + END
        sound = "".join(
            f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="{name}",LANGUAGE="{name}",'
            f'DEFAULT={"YES" if name == "en" else "NO"},URI="list{number}.m3u8"\n'
            for number, name in ((1, "en"), (2, "de")))
        master = f'#EXTM3U\n{sound}#EXT-X-STREAM-INF:BANDWIDTH=100000,AUDIO="s"\nlist0.m3u8\n'
        return {"/l/": {"directory": str(folder)}, "/l/all.m3u8": {"text": master},
                **{f"/l/{name}": {"text": text} for name, text in lists.items()}}

    packed = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + "".join(
        f"#EXTINF:0.5,\n/p/part{number}.aac\n" for number in range(SEGMENTS)) + END
    half = text
    for number in range(SEGMENTS // 2, SEGMENTS):
        half = half.replace(f"part{number}.ts", f"/h/part{number}.ts")
    old, new = streams["equal"]
    untagged = {"etag": None}
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
        segment("is a later one", {"file": str(plain / "part9.ts")}),
        case("contents: a third of all pictures missing", {"/s/": {"directory": str(streams["short"])}},
             None),
        case("contents: no sound in the second half", {"/s/": {"directory": str(streams["mute"])}}, None),
        case("contents: counters restart, no length", unchecked(streams["apart"], framing="close")),
        case("contents: sound nearly empty in some segments", {
            "/p/": {"directory": str(streams["packed"])}, "/s/stream.m3u8": {"text": packed}}, None),
        case("contents: half of the fragments of another size", {
            "/s/": {"directory": str(streams["fragments"])},
            **{f"/s/part{number}.m4s": {"file": str(streams["larger"] / f"part{number}.m4s")}
               for number in range(SEGMENTS // 2, SEGMENTS)}}, None),
        playlist("half in another codec, unmarked", half, None,
                 {"/h/": {"directory": str(streams["hevc"])}}),
        *[case(f"contents: {name} for half of the time", languages(cut), None, "/l/all.m3u8")
          for name, cut in (("pictures", "list0.m3u8"), ("sound", "list1.m3u8"),
                            ("a second language", "list2.m3u8"))],
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
        case("resumed, newer segments of equal lengths",
             {**unchecked(old, **untagged), "/s/part6.ts": {"gate": "half"}}, newer, killed_at="half",
             later=unchecked(new, **untagged), resumes=False),
    ]
