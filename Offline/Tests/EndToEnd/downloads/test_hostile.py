# SPDX-License-Identifier: Apache-2.0
"""Hostile servers and playlists, with a clear error and without a change to files outside."""

import os
import re
import subprocess

import pytest

from harness import media, file_changes
from harness.server import Server

HEAD = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n"
END = "#EXT-X-ENDLIST\n"


def playlist(*addresses, head=HEAD):
    return head + "".join(f"#EXTINF:1,\n{address}\n" for address in addresses) + END


@pytest.fixture
def canary(program):
    """A file that hostile addresses name and whose content must not appear anywhere."""
    path = program.root / "canary.ts"
    path.write_text("the canary's own words " * 100)
    return path


@pytest.fixture
def untouched(program, canary):
    """Checks that no file outside the library changes."""
    before = file_changes.snapshot(program.root, program.library)
    yield
    assert file_changes.snapshot(program.root, program.library) == before
    for path in program.library.rglob("*"):
        if path.is_file() and "registry" not in path.name:
            assert b"the canary's own words" not in path.read_bytes(), path
        assert not path.is_symlink()
    names = {path.name for path in program.data.rglob("*")}
    # The program chooses every name except the names of finished files.
    assert not {name for name in names if ".." in name or "canary" in name}


def expect_failure(program, origin, path, code, *words):
    result = program.get(origin.url(path))
    assert result.code == 1 and result.out == "", (result.code, result.out)
    item = program.items()[0]
    assert item["state"] == "failed" and item["error"]["code"] in code.split("|"), item["error"]
    for word in words:
        assert word in item["error"]["message"], item["error"]
    # The terminal shows the same message on one line.
    assert item["error"]["message"] in result.err
    assert len(result.err.strip().splitlines()) <= 2
    assert not program.files()


@pytest.mark.parametrize("scheme", [
    "file://{path}", "file:{path}", "FILE://localhost{path}", "concat:{path}|{path}",
    "data:text/plain,abc", "crypto:{path}", "pipe:0",
    "ftp://127.0.0.1/a.ts", "gopher://127.0.0.1/a.ts",
])
def test_a_segment_that_names_a_local_file_is_refused(
        scheme, program, origin, canary, samples, untouched):
    address = scheme.format(path=canary)
    origin.serve({"/p.m3u8": {"text": playlist("part0.ts", address)},
                  "/part0.ts": {"file": str(samples.stream / "part0.ts")}})
    expect_failure(program, origin, "/p.m3u8", "refused|invalidPlaylist")
    # The address is refused before a request for the segment.
    assert [entry["path"] for entry in origin.settled_log()] == ["/p.m3u8"]


@pytest.mark.parametrize("line", [
    '#EXT-X-KEY:METHOD=AES-128,URI="file://{path}"', '#EXT-X-MAP:URI="file://{path}"',
    '#EXT-X-KEY:METHOD=AES-128,URI="../../../../../../{path}"',
])
def test_a_key_or_map_that_names_a_local_file_is_refused(
        line, program, origin, canary, samples, untouched):
    head = HEAD + line.format(path=canary) + "\n"
    origin.serve({"/p.m3u8": {"text": playlist("part0.ts", head=head)},
                  "/part0.ts": {"file": str(samples.stream / "part0.ts")}})
    expect_failure(program, origin, "/p.m3u8", "refused|invalidPlaylist|missingSegments")


@pytest.mark.parametrize("name", [
    "../../../canary.ts", "..%2f..%2f..%2fcanary.ts", "%2e%2e/%2e%2e/canary.ts", "/../canary.ts",
    "..\\..\\canary.ts", "a/./.././../canary.ts", "-i", "--help", "a b;touch x.ts", "$(id).ts",
    "subfile,,start,0,end,9,,:/etc/passwd", "%00.ts", "nul%0aline.ts", "ü\u202e.ts", "a" * 3000 + ".ts",
])
def test_the_names_of_segments_never_reach_the_disk(
        name, program, origin, samples, untouched):
    folder = {"file": str(samples.stream / "part0.ts")}
    origin.serve({"/deep/er/p.m3u8": {"text": playlist(name)},
                  "/deep/er/p.m3u8?": {"text": playlist(name)}, "/": folder})
    result = program.get(origin.url("/deep/er/p.m3u8"))
    assert result.code == 0, result.err
    assert program.files() == ["p.mp4"]


@pytest.mark.parametrize("name", [
    "..%2f..%2fetc%2fpasswd", "%2e%2e%2fcanary.ts", "a%00b.mp4", "%e2%80%ae4pm.exe",
    "<script>alert(1)</script>.mp4", "%1b%5b2J%1b%5d0;owned%07.mp4", "a" * 2000, "-rf",
])
def test_o11_the_name_of_a_file_becomes_a_plain_name(
        name, program, origin, samples, untouched):
    disposition = f'attachment; filename="../../{name[:100]}"'
    origin.serve({f"/{name}": {"file": str(samples.film),
                               "headers": {"Content-Disposition": disposition}}})
    result = program.get(origin.url(f"/{name}"))
    assert result.code == 0, result.err
    [stored] = program.files()
    assert re.fullmatch(r"[^-.\\/:|\"<>?*\x00-\x1f\x7f\u202e][^\\/:|\"<>?*\x00-\x1f\x7f\u202e]*\.mp4", stored)
    assert len(stored.encode()) < 220
    title = program.item()["title"]
    assert 0 < len(title) <= 120
    assert not any(ord(letter) < 32 or letter == "\u202e" for letter in title)
    assert "\x1b" not in program.run("list").out


def test_a_playlist_of_ten_million_lines_is_refused(program, origin, tmp_path, untouched):
    for name, line, count, word in [
            ("comments", "#\n", 10_000_000, "lines"),
            ("segments", "#EXTINF:1,\na\n", 5_000_000, "MiB")]:
        path = tmp_path.parent / f"{tmp_path.name}-{name}.m3u8"
        path.write_text(HEAD + line * count)
        origin.serve({f"/{name}.m3u8": {"file": str(path)}})
        expect_failure(program, origin, f"/{name}.m3u8", "refused", word)
        path.unlink()


def test_an_endless_playlist_is_refused(program, origin, untouched):
    origin.serve({"/p.m3u8": {"rawRepeat": ["#EXTM3U is what I am " * 500 + "\n", 100_000],
                              "raw": "HTTP/1.1 200 OK\r\nContent-Type: application/x-mpegurl\r\n"
                                     "\r\n#EXTM3U\n"}})
    expect_failure(program, origin, "/p.m3u8", "refused", "MiB")


def test_a_playlist_of_too_many_segments_is_refused(program, origin, untouched):
    origin.serve({"/p.m3u8": {"text": HEAD + "#EXTINF:1,\na\n" * 100_001 + END}})
    expect_failure(program, origin, "/p.m3u8", "refused", "100000")


def test_a_segment_that_is_itself_a_playlist_is_refused(
        program, origin, canary, samples, untouched):
    inner = playlist(f"file://{canary}")
    origin.serve({"/p.m3u8": {"text": playlist("part0.ts", "part1.ts")},
                  "/part0.ts": {"text": inner, "type": "video/mp2t"},
                  "/part1.ts": {"file": str(samples.stream / "part1.ts")}})
    expect_failure(program, origin, "/p.m3u8", "missingSegments", "itself a playlist")


@pytest.mark.parametrize("text,kind", [
    ("<!doctype html><html><body>Not found, but 200</body></html>", "web page"),
    ("just words, no media at all " * 100, "neither"),
], ids=["page", "words"])
def test_a_segment_without_media_is_refused(text, kind, program, origin, untouched):
    origin.serve({"/p.m3u8": {"text": playlist("part0.ts")},
                  "/part0.ts": {"text": text, "type": "video/mp2t"}})
    expect_failure(program, origin, "/p.m3u8", "missingSegments", kind)


def test_o16_a_file_cannot_make_ffmpeg_read_other_files(
        program, origin, canary, untouched):
    # Without a fixed format, ffmpeg would read this film as a playlist.
    for number, head in enumerate(["#EXTM3U\n", "\n#EXTM3U\n", "ffconcat version 1.0\n"]):
        text = f"{head}#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://{canary}\n" \
            if "concat" not in head else f"{head}file {canary}\n"
        origin.serve({f"/{number}.mp4": {"text": text, "type": "video/mp4"}})
        assert program.get(origin.url(f"/{number}.mp4")).code == 1
    assert {item["state"] for item in program.items()} == {"failed"}


def test_a_gzip_bomb_stays_small(program, origin, untouched):
    origin.serve({"/bomb": {"gzip": 1 << 29, "type": "application/x-mpegurl"},
                  "/p.m3u8": {"text": playlist("/bomb")},
                  "/master.m3u8": {"text": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/bomb\n"}})
    for path in ("/bomb", "/p.m3u8", "/master.m3u8"):
        result = program.get(origin.url(path))
        assert result.code == 1, (path, result.out)
        assert program.items()[0]["state"] == "failed"
    # The reports have a separate limit, and the reserve is for a full disk.
    used = sum(path.lstat().st_size for path in program.library.rglob("*")
               if not {"reports", "reserve"} & set(path.relative_to(program.library).parts))
    assert used < 4 << 20


def test_unsupported_streams_are_refused_with_their_kind(program, origin, untouched):
    live = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n"
    drm = HEAD + '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key",' \
        'KEYFORMAT="com.apple.streamingkeydelivery"\n'
    origin.serve({
        "/live.m3u8": {"text": live}, "/drm.m3u8": {"text": playlist("a.ts", head=drm)},
        "/page": {"text": "<!DOCTYPE html><html><title>x</title></html>", "type": "text/html"},
        "/dash.mpd": {"text": '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>',
                      "type": "application/dash+xml"},
    })
    expect_failure(program, origin, "/live.m3u8", "live", "live")
    expect_failure(program, origin, "/drm.m3u8", "refused")
    expect_failure(program, origin, "/page", "unsupported", "web page")
    expect_failure(program, origin, "/dash.mpd", "invalidPlaylist", "no media")
    assert len(origin.settled_log()) == 4
    assert not list((program.data / "work").rglob("*.part"))


@pytest.mark.parametrize("target", [
    "file://{path}", "FILE:{path}", "ftp://127.0.0.1/a", "dict://127.0.0.1:11211/stats",
    "javascript:alert(1)", "//",
])
def test_a_redirect_away_from_the_web_is_refused(target, program, origin, canary, untouched):
    origin.serve({"/a": {"redirect": target.format(path=canary)}})
    expect_failure(program, origin, "/a", "refused|connection")


def test_redirects_without_end_are_refused(program, origin, untouched):
    origin.serve({"/a": {"redirect": "/b"}, "/b": {"redirect": "/a"}})
    expect_failure(program, origin, "/a", "connection|refused", "times")
    assert len(origin.settled_log()) <= 22


@pytest.mark.parametrize("size", [0, 15, 17, 1 << 20])
def test_a_key_of_the_wrong_size_is_refused(size, program, origin, samples, untouched):
    head = HEAD + '#EXT-X-KEY:METHOD=AES-128,URI="key"\n'
    origin.serve({"/p.m3u8": {"text": playlist("part0.ts", head=head)}, "/key": {"size": size},
                  "/part0.ts": {"file": str(samples.stream / "part0.ts")}})
    expect_failure(program, origin, "/p.m3u8", "wrongKey|missingSegments|refused", "key")


def test_no_message_contains_the_secrets_of_an_address(program, origin, untouched):
    origin.serve({"/a": {"status": 404, "text": "no"}})
    result = program.get(origin.url("/a?token=TOPSECRET"))
    assert result.code == 1 and "TOPSECRET" not in result.err
    assert "TOPSECRET" not in program.item()["error"]["message"]


def test_markup_in_a_title_stays_text(program, origin, samples, untouched):
    name = "<img src=x onerror=alert(1)>"
    origin.serve({"/%3Cimg%20src=x%20onerror=alert(1)%3E.mp4": {"file": str(samples.film)}})
    server = Server(program)
    server.download(origin.url("/%3Cimg%20src=x%20onerror=alert(1)%3E.mp4"))
    items = server.wait_for_items(lambda items: items[1]["state"] == "ready")
    assert items[1]["title"] == name
    status, headers, _ = server.request("GET", "/media/1?download=1")
    assert status == 200
    disposition = headers["Content-Disposition"]
    assert disposition.startswith("attachment") and "<" not in disposition.split("*=")[0]
    # A file with markup is never served as markup.
    origin.serve({"/x.svg": {"text": "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
                             "type": "image/svg+xml"}})
    server.download(origin.url("/x.svg"))
    server.wait_for_items(lambda items: items.get(2, {}).get("state") in ("ready", "failed"))
    status, headers, _ = server.request("GET", "/media/2")
    if status == 200:
        assert headers["Content-Type"] == "application/octet-stream"
        assert headers["Content-Disposition"].startswith("attachment")
        assert "sandbox" in headers["Content-Security-Policy"]
    # The fixture `untouched` reads the library, which must not change during the check.
    server.kill()


def test_nothing_outside_the_library_is_opened_for_writing(
        program, origin, samples, canary, untouched):
    origin.serve({"/s/": {"directory": str(samples.stream)}, "/film": {"file": str(samples.film)},
                  "/bad.m3u8": {"text": playlist("../../../../canary.ts")}})
    trace = program.root.parent / f"{program.root.name}.strace"
    allowed = (str(program.library), "/dev/null", "/dev/tty", "/proc/self", "/dev/shm/sem.")
    strace = ["strace", "-f", "-y", "-s", "4096", "-e", "trace=file,chdir", "-o", str(trace)]
    seen = set()
    for path in ("/s/stream.m3u8", "/film", "/bad.m3u8"):
        program.run("get", origin.url(path), "--wait", "--allow-private", prefix=strace,
                    timeout=120)
        seen |= file_changes.written_paths(trace)
    trace.unlink()
    inside = {path for path in seen if path.startswith(str(program.library))}
    # The trace is complete, because the expected files are present.
    expected = ("film.mp4", "/".join([".offline", "work", "1", "segments", "0-7"]))
    assert {f"{program.library}/{name}" for name in expected} <= inside
    assert {path for path in seen if not path.startswith(allowed)} == set()


@pytest.mark.parametrize(("count", "is_noted"), [(4, True), (3, False)])
def test_o20_the_same_bytes_for_all_segments_are_named(program, origin, samples, count, is_noted):
    text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + "".join(
        f"#EXTINF:0.5,\n{number}.ts\n" for number in range(count)) + "#EXT-X-ENDLIST\n"
    clip = str(samples.stream / "part0.ts")
    origin.serve({"/e/film.m3u8": {"text": text},
                  **{f"/e/{number}.ts": {"file": clip} for number in range(count)}})
    result = program.get(origin.url("/e/film.m3u8"))
    assert result.code == 0, result.err
    assert ("same bytes for all" in result.err) == is_noted
