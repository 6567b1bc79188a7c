# SPDX-License-Identifier: Apache-2.0
"""Chapters of a stream, a page and a file, in the film and in the library (O20 and O21)."""

import json
import subprocess

import pytest

from harness import media, registry
from harness.program import killpoint_binary
from harness.server import Server

HOSTILE = "-i =;#\\ [CHAPTER] <b>日本語</b>"
WANTED = [(0.0, "The beginning"), (8.5, HOSTILE), (20.0, "Chapter 3")]
VTT = """WEBVTT

00:00.000 --> 00:02.000
One

00:02.000 --> 00:08.000
Two
"""


def chapters(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", str(path)],
                         capture_output=True, check=True).stdout
    return [(float(each["start_time"]), each.get("tags", {}).get("title", ""))
            for each in json.loads(out)["chapters"]]


def title(path):
    return subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format_tags=title", "-of", "csv=p=0", str(path)],
        capture_output=True, check=True, text=True).stdout.strip()


def routes(samples, document=None):
    lines = ["#EXTM3U",
             '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"',
             "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180", "stream.m3u8", ""]
    entries = [{"start-time": start, "titles": [{"language": "en", "title": text}]}
               for start, text in [*WANTED[:2], (20, "")]]
    # This chapter starts after the end of the film.
    entries.append({"start-time": 3600, "titles": [{"title": "After the end"}]})
    return {"/s/": {"directory": str(samples.stream)},
            "/s/master.m3u8": {"text": "\n".join(lines)},
            "/s/chapters.json": document or {"text": json.dumps(entries), "type": "application/json"}}


def check(program):
    item = program.item()
    film = program.media(item)
    assert item["state"] == "ready" and not item.get("note")
    assert chapters(film) == WANTED
    assert title(film) == item["title"]
    assert media.picture_count(media.frame_hashes(film)) == media.FRAMES
    assert not list((program.data / "work").iterdir())


def test_o20_the_chapters_of_a_stream_are_in_the_film_and_on_the_page(
        samples, program, origin, browser):
    origin.serve(routes(samples))
    result = program.get(origin.url("/s/master.m3u8"))
    assert result.code == 0, result.err
    check(program)
    server = Server(program)
    assert server.item(1)["chapters"] \
        == [{"start": start, "title": text} for start, text in WANTED]
    assert "chapters" not in server.items()[0]
    browser.open(server.address)
    browser.click(".card .open")
    video = browser.until_shown("#player video")
    browser.until_shown("#player-chapters")
    shown = [button.text.replace("\n", " ") for button in browser.all("#player-chapters button")]
    assert shown == ["0:00 The beginning", f"0:09 {HOSTILE}", "0:20 Chapter 3"]
    browser.picture("chapters")
    # The film plays so slowly that a busy machine does not miss the chapter.
    browser.script("arguments[0].playbackRate = 0.0625", video)
    browser.click("#player-chapters button", "0:09")
    browser.until(lambda: 8.5 <= browser.script("return arguments[0].currentTime", video) < 20,
                  "it does not seek")
    browser.until(lambda: browser.find("#player-chapters [aria-current]").text.startswith("0:09"),
                  "the present chapter is not marked")


@pytest.mark.parametrize("document", [
    {"status": 404}, {"text": "[" * 100_000}, {"text": "{}"}, {"close": True, "raw": "x"},
    {"text": "[" + '{"start-time":1},' * 500_000 + "7]"},
])
def test_o20_chapters_that_cannot_be_read_do_not_fail_the_stream(document, samples, program, origin):
    origin.serve(routes(samples, document))
    result = program.get(origin.url("/s/master.m3u8"))
    assert result.code == 0, result.err
    assert not chapters(program.media())


@pytest.mark.parametrize("point,count", [("duringMux", 1), ("beforeFinalRename", 1)])
def test_o3_chapters_survive_a_kill(point, count, samples, program, origin):
    origin.serve(routes(samples))
    address = origin.url("/s/master.m3u8")
    run = subprocess.run(
        [killpoint_binary(), program.library, address, point, str(count)],
        env=program.environment, capture_output=True, timeout=120, check=False)
    assert run.returncode == -9, run.stderr.decode()
    assert registry.snapshot(program.library).is_unfinished
    result = program.get(address)
    assert result.code == 0, result.err
    check(program)


def test_o20_the_chapters_of_a_page_are_in_its_stream(samples, program, origin):
    page = ("<!DOCTYPE html><title>Reef</title><video src='/s/stream.m3u8'>"
            "<track kind=chapters src=/chapters.vtt></video>")
    origin.serve({"/watch": {"text": page, "type": "text/html"},
                  "/chapters.vtt": {"text": VTT}, "/s/": {"directory": str(samples.stream)}})
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    assert chapters(program.media()) == [(0.0, "One"), (2.0, "Two")]
    assert program.item().get("note") is None


def test_o20_a_file_stays_as_it_came_and_the_library_has_the_chapters_of_its_page(
        samples, program, origin):
    page = ("<!DOCTYPE html><title>Reef</title><video src=/film.mp4>"
            "<track kind=chapters src=/chapters.vtt></video>")
    origin.serve({"/watch": {"text": page, "type": "text/html"},
                  "/chapters.vtt": {"text": VTT}, "/film.mp4": {"file": str(samples.film)}})
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    item = program.item()
    assert item["note"] == "The chapters are in the library only, not in the file."
    assert program.media(item).read_bytes() == samples.film.read_bytes()
    assert [each["title"] for each in Server(program).item(1)["chapters"]] == ["One", "Two"]


def test_o20_the_chapters_of_an_imported_file_are_listed(samples, program):
    metadata = program.root / "metadata"
    metadata.write_text(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=3\ntitle=One\n"
                        "[CHAPTER]\nTIMEBASE=1/1\nSTART=3\nEND=8\ntitle=Later\n")
    program.library.mkdir(parents=True)
    media.ffmpeg("-i", samples.film, "-f", "ffmetadata", "-i", metadata, "-map", "0",
                 "-map_chapters", "1", "-c", "copy", program.library / "Film.mp4")
    assert program.run("refresh", "--import").code == 0
    assert Server(program).item(1)["chapters"] == [
        {"start": 0, "title": "One"}, {"start": 3, "title": "Later"}]
