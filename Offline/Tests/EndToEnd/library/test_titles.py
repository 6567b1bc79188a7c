# SPDX-License-Identifier: Apache-2.0
"""The user's own titles, and the facts of an item (O11, O17 and O21)."""

import concurrent.futures
import json
import os

from harness import media
from harness.server import Server
from harness.waiting import wait_until


def ready(program, origin, samples, name="film.mp4"):
    origin.serve({f"/{name}": {"file": str(samples.film)}})
    result = program.get(origin.url(f"/{name}"))
    assert result.code == 0, result.err


def test_o21_a_renamed_film_is_found_under_its_title(samples, program, origin):
    ready(program, origin, samples)
    (program.library / "film.en.vtt").write_text("WEBVTT\n")
    result = program.run("rename", "1", "My", "film:", "the\x1b[31m end")
    assert result.code == 0, result.err
    assert "\x1b" not in result.out
    item = program.item()
    assert item["title"] == "My film: the[31m end"
    assert program.files() == ["My film- the[31m end.en.vtt", "My film- the[31m end.mp4"]
    assert program.media().read_bytes() == samples.film.read_bytes()
    assert program.run("refresh").code == 0
    assert program.item()["state"] == "ready"
    for words in (["rename", "1"], ["rename", "x", "a"], ["rename", "1", "x" * 121]):
        assert program.run(*words).code != 0
    assert program.item()["title"] == "My film: the[31m end"


def test_o17_commands_and_the_server_rename_at_the_same_time(samples, program, origin):
    ready(program, origin, samples)
    server = Server(program)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda number: server.request(
            "POST", "/api/items/1/rename", {"title": f"Title {number}"})[0], range(20)))
        results += [program.run("rename", "1", "Last").code]
    assert set(results) == {200, 0}
    assert server.item(1)["title"] == "Last"
    assert program.files() == ["Last.mp4"]
    status, _, content = server.request("POST", "/api/items/1/rename", {"title": "\u0000 "})
    assert (status, json.loads(content)["error"]["code"]) == (400, "invalidTitle")
    assert server.request("POST", "/api/items/2/rename", {"title": "a"})[0] == 404
    assert server.request("POST", "/api/items/1/rename", {})[0] == 400


def test_o20_show_prints_all_facts_of_an_item(samples, program, origin):
    film = program.root / "film.mkv"
    metadata = program.root / "metadata"
    metadata.write_text(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=8\ntitle=One\n")
    media.ffmpeg("-i", samples.film, "-f", "ffmetadata", "-i", metadata, "-map", "0",
                 "-map_chapters", "1", "-metadata:s:a:0", "language=deu", "-c", "copy", film)
    origin.serve({"/film.mkv": {"file": str(film)}})
    assert program.get(origin.url("/film.mkv")).code == 0
    (program.library / "film.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nHello\n")
    shown = json.loads(program.run("show", "1", "--json").out)
    assert shown["path"] == str(program.library / "film.mkv")
    assert shown["address"] == origin.url("/film.mkv")
    assert [track.get("language") for track in shown["tracks"]] == [None, "deu"]
    assert shown["chapters"] == [{"start": 0, "title": "One"}]
    assert [each["fileName"] for each in shown["subtitleFiles"]] == ["film.srt"]
    text = program.run("show", "1").out
    for line in ("Title:     film", f"File:      {shown['path']}", "audio aac deu",
                 "Subtitles: Subtitles: film.srt", "Chapters:  0:00 One"):
        assert line in text
    server = Server(program)
    assert json.loads(program.run("show", "1", "--json").out) == shown
    assert json.loads(server.request("GET", "/api/items/1/tracks")[2])["tracks"] == shown["tracks"]
    server.kill()
    assert "no item 7" in program.run("show", "7").err


def test_open_runs_the_desktops_program_or_prints_the_path(samples, program, origin):
    ready(program, origin, samples)
    path = str(program.library / "film.mp4")
    assert program.run("open", "1").out == path + "\n"
    opened = program.root / "opened"
    folder = program.root / "bin"
    folder.mkdir()
    opener = folder / "xdg-open"
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.new\nmv {opened}.new {opened}\n')
    opener.chmod(0o755)
    program.added.update(DISPLAY=":9", PATH=f"{folder}:{program.environment['PATH']}")
    result = program.run("open", "1")
    assert (result.code, result.out) == (0, "")
    wait_until(opened.exists, program.root)
    assert opened.read_text() == path
    program.media().unlink()
    assert "has no file" in program.run("open", "1").err


def test_o21_the_page_renames_an_item(samples, program, origin, browser):
    ready(program, origin, samples)
    server = Server(program)
    browser.open(server.address)
    browser.section("library")
    browser.click("#cards summary[aria-label='More for film']")
    browser.click("#cards button[aria-label='Rename film']")
    browser.type("#new-title", "<b>Another</b> title")
    browser.until_text(".card h2", "<b>Another</b> title")
    # The new name appears before the former name disappears.
    wait_until(lambda: program.files() == ["(b)Another(-b) title.mp4"], program.library)
    browser.click(".card .open")
    video = browser.until_shown("#player video")
    browser.until(lambda: browser.script("return arguments[0].currentTime", video) > 0.1,
                  "the renamed film does not play")


def test_o21_other_users_of_this_machine_can_read_a_film_and_not_the_data(samples, program, origin):
    mask = os.umask(0o022)
    try:
        ready(program, origin, samples)
    finally:
        os.umask(mask)
    paths = (program.library, program.media(), program.data, program.data / "registry.sqlite")
    assert [oct(path.stat().st_mode & 0o777) for path in paths] == [
        "0o755", "0o644", "0o700", "0o600"]


HLS_TITLE = '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="Low: Tide",LANGUAGE="en"\n'


def serve_stream(origin, samples, **more):
    master = f"#EXTM3U\n{HLS_TITLE}#EXT-X-STREAM-INF:BANDWIDTH=1\nstream.m3u8\n"
    origin.serve({"/s/": {"directory": str(samples.stream)}, "/s/low.m3u8": {"text": master, **more}})
    return origin.url("/s/low.m3u8")


def test_o11_a_playlist_names_its_film(samples, program, origin):
    address = serve_stream(origin, samples)
    found = json.loads(program.run("inspect", address, "--allow-private", "--json").out)
    assert found["title"] == "Low: Tide"
    result = program.get(address)
    assert result.code == 0, result.err
    assert program.files() == ["Low- Tide.mp4"]


def test_o11_the_name_of_the_server_goes_before_that_of_the_playlist(samples, program, origin):
    name = {"Content-Disposition": 'attachment; filename="High.m3u8"'}
    assert program.get(serve_stream(origin, samples, headers=name)).code == 0
    assert program.files() == ["High.mp4"]


def test_o11_a_manifest_names_its_film(program, origin, tmp_path):
    folder = media.make_dash(tmp_path, 4, ["-use_template", "1", "-use_timeline", "1"])
    text = next(folder.glob("*.mpd")).read_text()
    start = text.index(">", text.index("<MPD")) + 1
    title = "<ProgramInformation><Title> Ebb &amp; Flow </Title></ProgramInformation>"
    text = text[:start] + title + text[text.index("<Period"):]
    origin.serve({"/d/": {"directory": str(folder)}, "/d/x.mpd": {"text": text}})
    result = program.get(origin.url("/d/x.mpd"))
    assert result.code == 0, result.err
    assert program.files() == ["Ebb & Flow.mp4"]
