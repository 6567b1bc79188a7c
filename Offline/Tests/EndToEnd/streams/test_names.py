# SPDX-License-Identifier: Apache-2.0
"""The names of files and tracks, from the content or the server (O11, O20 and O21)."""

import json
import shutil

import pytest

from harness import media
from harness.players import probe

VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"


def got(program, address, *options):
    result = program.get(address, *options)
    assert result.code == 0, result.err
    return program.files()


@pytest.mark.parametrize("disposition,name", [
    ("attachment; filename*=UTF-8''M%C3%BChle%20am%20See.mp4", "Mühle am See"),
    ("attachment; filename=\"first.mp4\"; filename*=UTF-8''second.mp4", "second"),
    ('inline; FileName="a \\"b\\"; c.mp4"', "a 'b'; c"),
    ("attachment; filename=../../../etc/passwd.mp4", "passwd"),
    ("attachment; filename*=UTF-8''..%2F..%2Fupper.mp4", "upper"),
    ('attachment; filename="C:\\\\films\\\\dune.mp4"', "dune"),
    ("attachment", "download"),
    ('attachment; filename=""', "download"),
    ("attachment; filename*=UTF-8''%FF%FE; filename=plain.mp4", "plain"),
])
def test_o11_a_file_gets_the_name_that_its_server_gives(
        disposition, name, samples, program, origin):
    origin.serve({"/download.php?id=7": {
        "file": str(samples.film), "headers": {"Content-Disposition": disposition}}})
    assert got(program, origin.url("/download.php?id=7")) == [f"{name}.mp4"]


@pytest.mark.parametrize("file,options", [
    ("track01.mp3", ["-vn", "-c:a", "libmp3lame"]), ("track01.ogg", ["-vn", "-c:a", "libvorbis"]),
    ("track01.flac", ["-vn", "-c:a", "flac"]), ("track01.mp4", ["-c", "copy"]),
    ("track01.mkv", ["-c", "copy"]),
])
def test_o21_a_file_gets_the_title_in_its_tags(file, options, samples, program, origin):
    path = program.root / file
    media.ffmpeg("-i", samples.film, "-t", "1", *options, "-metadata", "title=Sea song: ö", path)
    origin.serve({f"/{file}": {"file": str(path), "headers": {
        "Content-Disposition": "attachment; filename=other.bin"}}})
    assert got(program, origin.url(f"/{file}")) == ["Sea song- ö." + file.split(".")[1]]
    assert program.item()["title"] == "Sea song: ö"


def test_o21_the_title_of_a_page_goes_before_that_of_the_file(samples, program, origin):
    path = program.root / "film.mp4"
    media.ffmpeg("-i", samples.film, "-c", "copy", "-metadata", "title=Encoder 3000", path)
    origin.serve({
        "/watch": {"type": "text/html",
                   "text": "<title>Reef</title><video src=/film.mp4></video>"},
        "/film.mp4": {"file": str(path), "headers": {
            "Content-Disposition": "attachment; filename=cdn-7.mp4"}}})
    assert got(program, origin.url("/watch")) == ["Reef.mp4"]


def test_o21_a_playlist_without_a_name_of_its_own_gets_that_of_its_host(samples, program, origin):
    origin.serve({"/hls/master.m3u8": {"file": str(samples.stream / "stream.m3u8")},
                  "/hls/": {"directory": str(samples.stream)}})
    assert got(program, origin.url("/hls/master.m3u8")) == ["127.0.0.1.mp4"]


@pytest.fixture
def described(program, origin, tmp_path):
    """A stream with three sounds and three subtitles of one language."""
    folder = media.make_languages(tmp_path / "hls", ["en", "en", "en"], seconds=6)
    describes = 'CHARACTERISTICS="public.accessibility.describes-video"'
    transcribes = ('CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,'
                   'public.accessibility.describes-music-and-sound"')
    sounds = [("English", ""), ("Director’s “commentary” -i $(id)", ""),
              ("Audio description", describes)]
    texts = [("English", ""), ("English SDH", transcribes), ("Signs", "FORCED=YES")]
    lines = ["#EXTM3U"]
    for number, (name, more) in enumerate(sounds, 1):
        lines += [f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="{name}",LANGUAGE="en",{more},'
                  f'URI="list{number}.m3u8"'.replace(",,", ",")]
    for number, (name, more) in enumerate(texts):
        lines += [f'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="{name}",LANGUAGE="en",{more},'
                  f'URI="text{number}.m3u8"'.replace(",,", ",")]
        (folder / f"text{number}.vtt").write_text(VTT)
        (folder / f"text{number}.m3u8").write_text(
            f"#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\ntext{number}.vtt\n#EXT-X-ENDLIST\n")
    lines += ['#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,AUDIO="a",SUBTITLES="t"',
              "list0.m3u8", ""]
    (folder / "film.m3u8").write_text("\n".join(lines))
    origin.serve({"/s/": {"directory": str(folder)}})
    return folder


def check_tracks(program):
    streams, _ = probe(program.media())
    sounds = [stream for stream in streams if stream["codec_type"] == "audio"]
    texts = [stream for stream in streams if stream["codec_type"] == "subtitle"]
    assert [stream["tags"]["handler_name"] for stream in sounds + texts] == [
        "English", "Director’s “commentary” -i $(id)", "Audio description",
        "English", "English SDH", "Signs"]
    assert [stream["tags"]["language"] for stream in sounds + texts] == ["eng"] * 6
    assert [stream["disposition"]["visual_impaired"] for stream in sounds] == [0, 0, 1]
    assert [stream["disposition"]["default"] for stream in sounds] == [1, 0, 0]
    assert [stream["disposition"]["hearing_impaired"] for stream in texts] == [0, 1, 0]


def test_o20_tracks_of_one_language_are_distinguished(described, program, origin):
    assert got(program, origin.url("/s/film.m3u8")) == [
        "film.en.forced.vtt", "film.en.sdh.vtt", "film.en.vtt", "film.mp4"]
    check_tracks(program)
    shown = json.loads(program.run("show", "1", "--json").out)
    assert [track.get("name") for track in shown["tracks"]] == [
        None, "English", "Director’s “commentary” -i $(id)", "Audio description"]
    assert shown["tracks"][3]["purpose"] == "describes-video"
    assert [file["name"] for file in shown["subtitleFiles"]] == [
        "English (forced)", "English (sdh)", "English"]
    assert "audio aac eng “Audio description” (describes the pictures)" in program.run(
        "show", "1").out
    # The marks stay when the user gives another name, and are removed with the film.
    assert program.run("rename", "1", "Other").code == 0
    assert program.files() == [
        "Other.en.forced.vtt", "Other.en.sdh.vtt", "Other.en.vtt", "Other.mp4"]
    assert program.run("remove", "1", "--with-file").code == 0
    assert program.files() == []


def test_o20_joined_sections_and_extras_keep_the_names_of_tracks(described, program, origin):
    for number in range(4):
        path = described / f"list{number}.m3u8"
        lines = path.read_text().splitlines()
        middle = [index for index, line in enumerate(lines) if line.startswith("#EXTINF")][6]
        path.write_text("\n".join([*lines[:middle], "#EXT-X-DISCONTINUITY", *lines[middle:], ""]))
    cover = described / "cover.png"
    media.ffmpeg("-f", "lavfi", "-i", "color=red:size=64x36", "-frames:v", "1", cover)
    page = ("<title>film</title><meta property=og:image content=/s/cover.png>"
            "<video src=/s/film.m3u8></video>")
    origin.serve({"/s/": {"directory": str(described)},
                  "/watch": {"type": "text/html", "text": page}})
    assert "film.mp4" in got(program, origin.url("/watch"))
    check_tracks(program)


def test_o20_sound_alone_is_a_file_of_sound(described, program, origin):
    assert got(program, origin.url("/s/film.m3u8"), "--quality", "audio") == ["film.m4a"]
    assert program.item()["mediaType"] == "audio/mp4"


def test_o20_missing_segments_name_their_tracks(described, program, origin):
    for name in ("part0-1.ts", "part0-2.ts", "part2-1.ts"):
        (described / name).unlink()
    result = program.get(origin.url("/s/film.m3u8"))
    assert result.code == 1
    assert ("(pictures: 2, 3; sound “Director’s “commentary” -i $(id)”: 2)"
            in program.item()["error"]["message"])
    shutil.rmtree(described)
