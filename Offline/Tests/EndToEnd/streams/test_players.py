# SPDX-License-Identifier: Apache-2.0
"""Finished files in players of Debian: every track plays to the end without a warning (O21)."""

import signal

import pytest

from harness import media
from harness.live import LiveStream
from harness.players import play, play_every_track, probe
from harness.program import finish
from harness.server import Server

LANGUAGES = ["en", "de", "fr"]


def check(program, name, *expected, seconds):
    """Checks the name of the only film, and the tracks in a player and in a reader."""
    path = program.media()
    assert path.name == name
    streams, tags = probe(path)
    kinds = {"video": "video", "audio": "audio", "subtitle": "sub"}
    assert [kinds[stream["codec_type"]] for stream in streams] == [kind for kind, _ in expected]
    for stream in streams:
        if not stream["disposition"]["attached_pic"] and stream["codec_type"] != "subtitle":
            assert float(stream["duration"]) == pytest.approx(seconds, abs=0.2)
    title, tracks = play_every_track(path)
    inside = [track for track in tracks if not track["external"]]
    assert [(track["type"], track.get("lang")) for track in inside] == list(expected)
    # A file that is kept unchanged has no title, and the player shows the file name.
    assert title == tags.get("title", path.name)
    return tracks


def test_o21_the_film_of_a_page_with_a_player_plays(samples, program, origin, tmp_path):
    cover = tmp_path / "cover.png"
    media.ffmpeg("-f", "lavfi", "-i", "color=red:size=64x36", "-frames:v", "1", cover)
    origin.serve({
        "/watch": {"type": "text/html", "text": (
            "<!DOCTYPE html><title>Reef: the film</title><meta property=og:image content=/cover.png>"
            "<div id=p></div><script>player('p').setup({sources: [{file: '/s/stream.m3u8'}]})</script>")},
        "/cover.png": {"file": str(cover)}, "/s/": {"directory": str(samples.stream)}})
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    tracks = check(program, "Reef- the film.mp4", ("video", None), ("audio", None), ("video", None),
                   seconds=24)
    assert [track["albumart"] for track in tracks] == [False, False, True]
    assert probe(program.media())[1]["title"] == "Reef: the film"


def test_o21_a_film_with_three_languages_and_subtitles_plays(program, origin, tmp_path):
    folder = media.make_languages(tmp_path / "hls", LANGUAGES, seconds=6)
    lines = ["#EXTM3U", "#EXT-X-VERSION:7"]
    for number, name in enumerate(LANGUAGES, 1):
        lines += [f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="{name}",LANGUAGE="{name}",'
                  f'URI="list{number}.m3u8"']
    for name in LANGUAGES[:2]:
        lines += [f'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="{name}",LANGUAGE="{name}",'
                  f'URI="{name}.m3u8"']
    lines += ['#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,AUDIO="a",SUBTITLES="t"',
              "list0.m3u8", ""]
    texts = {"/Harbour/text.vtt": {"text": "WEBVTT\n\n00:01.000 --> 00:02.000\nShip\n"}}
    for name in LANGUAGES[:2]:
        texts[f"/Harbour/{name}.m3u8"] = {
            "text": "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\ntext.vtt\n#EXT-X-ENDLIST\n"}
    origin.serve({"/Harbour/": {"directory": str(folder)}, **texts,
                  "/Harbour/master.m3u8": {"text": "\n".join(lines)}})
    result = program.get(origin.url("/Harbour/master.m3u8"))
    assert result.code == 0, result.err
    tracks = check(
        program, "Harbour.mp4", ("video", None), ("audio", "eng"), ("audio", "deu"), ("audio", "fra"),
        ("sub", "eng"), ("sub", "deu"), seconds=6)
    # The player also finds the files beside the film by name.
    beside = [track["lang"] for track in tracks if track["external"]]
    assert sorted(beside) == ["de", "en"]


def test_o21_a_film_of_dash_plays(program, origin, tmp_path):
    folder = media.make_dash(tmp_path, seconds=6)
    origin.serve({"/Lighthouse/": {"directory": str(folder)}})
    result = program.get(origin.url("/Lighthouse/stream.mpd"))
    assert result.code == 0, result.err
    check(program, "Lighthouse.mp4", ("video", None), ("audio", "eng"), ("audio", "deu"), seconds=6)


def test_o21_the_entry_of_a_feed_plays(samples, program, origin):
    origin.serve({
        "/feed.xml": {"text": (
            "<rss version='2.0'><channel><title>Tides</title><item><title>High water</title>"
            "<enclosure url='/a/31.mp4' type='video/mp4'/></item></channel></rss>")},
        "/a/31.mp4": {"file": str(samples.film)}})
    server = Server(program, "--allow-private")
    server.call("POST", "/api/feeds", {"address": origin.url("/feed.xml")})
    server.wait_for_items(
        lambda items: [item["state"] for item in items.values()] == ["ready"])
    check(program, "High water.mp4", ("video", None), ("audio", None), seconds=8)


def test_o21_a_recording_plays(samples, program, origin):
    live = LiveStream(origin, samples.stream, name="Storm.m3u8")
    live.publish(range(4, 16))
    process = program.start_get(live.address, "--live")
    live.wait_for(program, range(4, 16))
    process.send_signal(signal.SIGINT)
    result = finish(process)
    assert result.code == 0, result.err
    check(program, "Storm.mp4", ("video", None), ("audio", None), seconds=6)


def test_a_player_and_a_reader_complain_about_a_damaged_film(samples, tmp_path):
    content = bytearray(samples.film.read_bytes())
    content[len(content) // 2:] = bytes(len(content) - len(content) // 2)
    film = tmp_path / "film.mp4"
    film.write_bytes(content)
    with pytest.raises(AssertionError):
        play(film)
    film.write_bytes(b"This is no film.")
    with pytest.raises(AssertionError):
        probe(film)
