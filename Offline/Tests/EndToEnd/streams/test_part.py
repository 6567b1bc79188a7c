# SPDX-License-Identifier: Apache-2.0
"""A part of a film: `--chapters` (O18 and O20)."""

import json
import subprocess

import pytest

from harness import media
from harness.server import Server

CHAPTERS = [{"start-time": start, "titles": [{"title": title}]}
            for start, title in [(0, "One"), (4, "Two"), (10, "Three")]]


@pytest.fixture
def stream(samples, origin):
    """The address of a stream of 24 seconds with three chapters."""
    lines = ["#EXTM3U",
             '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"',
             "#EXT-X-STREAM-INF:BANDWIDTH=1", "stream.m3u8", ""]
    origin.serve({"/s/": {"directory": str(samples.stream)},
                  "/s/film.m3u8": {"text": "\n".join(lines)},
                  "/s/chapters.json": {"text": json.dumps(CHAPTERS)}})
    return origin.url("/s/film.m3u8")


@pytest.fixture
def film(samples, origin, tmp_path):
    """The address of a file of eight seconds with two chapters."""
    metadata = tmp_path / "metadata"
    metadata.write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={end}\ntitle={title}\n"
        for start, end, title in [(0, 3, "One"), (3, 8, "Two")]))
    path = tmp_path / "film.mp4"
    media.ffmpeg("-i", samples.film, "-f", "ffmetadata", "-i", metadata, "-map", "0",
                 "-map_chapters", "1", "-c", "copy", path)
    origin.serve({"/film.mp4": {"file": str(path)}})
    return origin.url("/film.mp4")


def probe(path):
    """Returns the duration of a file, with the starts and titles of the chapters."""
    found = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "json", str(path)],
        capture_output=True, check=True).stdout)
    return float(found["format"]["duration"]), [
        (round(float(each["start_time"]), 1), each["tags"]["title"]) for each in found["chapters"]]


@pytest.mark.parametrize(("part", "segments", "titles"), [
    ("2", range(8, 20), [(0, "Two")]),
    ("2-3", range(8, 48), [(0, "Two"), (6, "Three")]),
    ("00:00:06-00:00:12", range(12, 24), [(0, "Two"), (4, "Three")]),
])
def test_o20_only_the_segments_of_the_part_are_fetched(program, origin, stream, part, segments, titles):
    result = program.get(stream, "--chapters", part)
    assert result.code == 0, result.err
    assert "was kept, from the key frame before it on" in result.err
    fetched = {entry["path"] for entry in origin.settled_log() if entry["path"].endswith(".ts")}
    assert fetched == {f"/s/part{number}.ts" for number in segments}
    duration, found = probe(program.media())
    assert abs(duration - len(segments) / 2) < 0.3 and found == titles


def test_o18_another_part_is_another_item(program, stream):
    for part in ("1", "2", "1-1"):
        assert program.get(stream, "--chapters", part).code == 0
    assert program.get(stream).code == 0
    assert [item.get("keptChapters") for item in program.items()] == [None, "2-2", "1-1"]


@pytest.mark.parametrize("style", ["-use_timeline", "-single_file"])
def test_o20_a_part_of_a_dash_stream(program, origin, tmp_path, style):
    folder = tmp_path / "dash"
    folder.mkdir()
    media.make_dash(folder, 12, [style, "1"])
    origin.serve({"/d/": {"directory": str(folder)}})
    result = program.get(origin.url("/d/stream.mpd"), "--chapters", "0:04-0:08")
    assert result.code == 0, result.err
    assert abs(probe(program.media())[0] - 4) < 0.5


@pytest.mark.parametrize(("part", "seconds"), [("2", 5), ("0:01-0:03", 2), ("0:06-0:59", 2)])
def test_o20_a_part_of_a_file(program, film, part, seconds):
    result = program.get(film, "--chapters", part)
    assert result.code == 0, result.err
    assert "was kept" in result.err
    duration, chapters = probe(program.media())
    assert abs(duration - seconds) < 0.6 and chapters[-1][1] == ("One" if seconds == 2 and part[3] == "1" else "Two")
    assert program.get(film).code == 0
    assert len(program.files()) == 2


@pytest.mark.parametrize(("part", "words"), [
    ("4", "has 3 chapters"), ("0:30-0:40", "ends at 0:24")])
def test_a_part_outside_of_the_film_is_refused(program, origin, stream, part, words):
    result = program.get(stream, "--chapters", part)
    assert result.code == 1 and words in result.err
    assert not [entry for entry in origin.settled_log() if entry["path"].endswith(".ts")]
    looked = program.run("inspect", stream, "--allow-private", "--chapters", part)
    assert words in looked.out + looked.err


def test_what_has_no_parts_is_refused(program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/data.bin": {"file": str(samples.file)}})
    assert "states no chapters" in program.get(origin.url("/film.mp4"), "--chapters", "2").err
    assert "cannot be cut" in program.get(origin.url("/data.bin"), "--chapters", "2").err


@pytest.mark.parametrize(("options", "words"), [
    (["--chapters", "4-2"], "is no part of a film"), (["--chapters", "a"], "is no part of a film"),
    (["--chapters", "1", "--live"], "--for limits a recording"),
    (["--chapters", "1", "https://media.example/b"], "one address at a time")])
def test_a_wrong_use_of_chapters_is_explained(program, options, words):
    result = program.run("get", "https://media.example/a", *options)
    assert result.code == 2 and words in result.err
    assert not program.data.exists() or program.items() == []


def test_o20_the_api_keeps_a_part(program, stream):
    server = Server(program, "--allow-private")
    status, _, _ = server.request("POST", "/api/downloads", {"url": stream, "chapters": "2-2"})
    assert status == 201
    server.wait_until(lambda: server.item(1)["state"] == "ready")
    assert abs(probe(program.media())[0] - 6) < 0.3
    for body in ({"chapters": "x"}, {"chapters": "2", "live": {}}):
        assert server.request("POST", "/api/downloads", {"url": stream, **body})[0] == 400


def test_o18_the_page_keeps_a_part_of_a_film(program, origin, stream, film, browser):
    server = Server(program, "--allow-private")
    browser.open(server.address)
    browser.section("downloads")
    browser.until_text("#link", "Connected")
    browser.click("#options")
    field = browser.until_shown("#part")
    field.send_keys("4-2")
    browser.picture("part")
    browser.expected = ["400"]
    browser.type("#address", stream)
    browser.until_text("#add-error", "Use chapters such as 2-4")
    field.clear()
    field.send_keys("2")
    browser.type("#address", f"{stream} {film}")
    browser.until_text("#add-error", "A part belongs to one film.")
    browser.find("#address").clear()
    browser.type("#address", stream)
    browser.until_shown("#finished-rows li")
    browser.until(lambda: browser.find("#part").get_attribute("value") == "", "the part stays")
    assert [item["keptChapters"] for item in server.items()] == ["2-2"]


def test_o18_an_allowed_private_address_keeps_its_part(program, stream, browser):
    server = Server(program)
    browser.open(server.address)
    browser.section("downloads")
    browser.until_text("#link", "Connected")
    assert program.run("get", stream, "--wait", "--chapters", "2").code == 1
    browser.until_text(".row-item .error", "This is a private address")
    browser.click(".row-item .acts button[aria-label^='Allow']")
    browser.until_shown("#finished-rows li")
    assert [item["keptChapters"] for item in server.items()] == ["2-2"]
