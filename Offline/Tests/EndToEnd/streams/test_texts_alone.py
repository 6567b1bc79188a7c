# SPDX-License-Identifier: Apache-2.0
"""Playlists of subtitles without a film (O20)."""

import json

import pytest

START = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"
LATER = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1440000"


def serve(origin, maps, texts):
    """Serves two segments of six seconds and returns the address of the playlist."""
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:6", "#EXTINF:6,", "0.vtt?a=1", "#EXTINF:6,",
             "1.webvtt", "#EXT-X-ENDLIST", ""]
    origin.serve({"/t/words.m3u8": {"text": "\n".join(lines)}, **{
        f"/t/{name}": {"text": f"WEBVTT\n{map}\n\n{text}\n"}
        for name, map, text in zip(("0.vtt", "1.webvtt"), maps, texts)}})
    return origin.url("/t/words.m3u8")


@pytest.mark.parametrize(("maps", "second"), [
    ((START, START), 6), (("", ""), 6), ((START, LATER), 0)])
def test_o20_subtitles_alone_become_one_file_without_repetitions(program, origin, maps, second):
    address = serve(origin, maps, (
        "00:05.000 --> 00:06.000\nover & out",
        f"00:0{second}.000 --> 00:0{second + 1}.000\nover & out"))
    found = json.loads(program.run("inspect", address, "--allow-private", "--json").out)
    assert "refusal" not in found and found["duration"] == 12
    result = program.get(address)
    assert result.code == 0, result.err
    assert program.files() == ["words.vtt"]
    text = program.media().read_text()
    assert text == "WEBVTT\n\n00:00:05.000 --> 00:00:07.000\nover & out\n"
    assert program.item().get("note") is None and program.run("list", "over").out.count("words") == 1


def test_o20_a_master_of_subtitles_alone_keeps_the_chosen_language(program, origin):
    serve(origin, ("", ""), ("00:05.000 --> 00:06.000\nHello", ""))
    medium = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="{0}",LANGUAGE="{1}",URI="{2}.m3u8"\n'
    master = medium.format("English", "en", "words") + medium.format("German", "de", "no")
    origin.serve({"/t/film.m3u8": {"text": "#EXTM3U\n" + master}})
    result = program.get(origin.url("/t/film.m3u8"))
    assert result.code == 0 and "Subtitles were left out: German." in result.err, result.err
    assert program.files() == ["film.vtt"]
    assert program.get(origin.url("/t/film.m3u8"), "--subtitles", "de").code == 1


def test_o6_a_missing_segment_of_subtitles_alone_is_named(program, origin):
    address = serve(origin, ("", ""), ("00:05.000 --> 00:06.000\nHello", ""))
    origin.serve({"/t/1.webvtt": {"status": 404, "text": "no"}})
    result = program.get(address)
    assert result.code == 1 and "1 of 2 segments are missing (2)" in result.err
    origin.serve({"/t/1.webvtt": {"text": "WEBVTT\n"}})
    assert program.get(address).code == 0
    fetched = [entry["path"] for entry in origin.settled_log() if entry["status"] == 200]
    assert fetched.count("/t/0.vtt?a=1") == 1
