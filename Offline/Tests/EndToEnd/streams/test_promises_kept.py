# SPDX-License-Identifier: Apache-2.0
"""Streams whose server has other content than the playlists state (O20)."""

from harness import media


def test_o20_sound_that_ends_early_is_named(program, origin, tmp_path):
    folder = media.make_languages(tmp_path / "s", ["en"], 12)
    lines = (folder / "list1.m3u8").read_text().split("#EXTINF")
    short = "#EXTINF".join(lines[:9]) + "#EXT-X-ENDLIST\n"
    master = ('#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",DEFAULT=YES,'
              'URI="list1.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nlist0.m3u8\n')
    origin.serve({"/s/": {"directory": str(folder)}, "/s/list1.m3u8": {"text": short},
                  "/s/film.m3u8": {"text": master}})
    result = program.get(origin.url("/s/film.m3u8"))
    assert result.code == 0, result.err
    assert program.item()["note"] == "The server's stream has sound for 0:04 of 0:12."


def test_o20_segments_of_subtitles_may_have_any_name(program, origin):
    lines = ["#EXTM3U", "#EXTINF:6,", "text?n=0", "#EXTINF:6,", "text?n=1", "#EXT-X-ENDLIST", ""]
    origin.serve({"/t/words.m3u8": {"text": "\n".join(lines)}, "/t/text": {
        "text": "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"}})
    result = program.get(origin.url("/t/words.m3u8"))
    assert result.code == 0, result.err
    assert program.files() == ["words.vtt"] and "Hello" in program.media().read_text()


def test_o6_subtitles_in_place_of_a_segment_are_no_film(program, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)}, "/s/part3.ts": {"text": "WEBVTT\n"}})
    failed = program.get(origin.url("/s/stream.m3u8"))
    assert failed.code == 1
    assert "part3.ts is subtitles (WebVTT) in place of a segment" in failed.err
    origin.serve({"/s/part3.ts": {"file": str(samples.stream / "part3.ts")}})
    assert program.get(origin.url("/s/stream.m3u8")).code == 0
