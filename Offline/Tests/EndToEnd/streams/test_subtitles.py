# SPDX-License-Identifier: Apache-2.0
"""Subtitles of a stream, in the film and in the files beside the film (O20 and O21)."""

import json
import subprocess

import pytest

from harness import media, registry
from harness.kills import PARALLEL_SEGMENTS, limit_segments
from harness.program import killpoint_binary
from harness.server import Server

LANGUAGES = [("en", "eng", "DEFAULT=YES", "Hello"), ("de", "deu", "FORCED=YES", "Grüße")]
# The ends of the files beside a film.
ENDS = {"en": "en.vtt", "de": "de.forced.vtt"}
# The times in seconds from the first picture.
TIMES = [(1.0, 2.0), (9.5, 12.5), (20.25, 21.0)]


def clock(seconds):
    return f"{int(seconds // 3600):02}:{int(seconds // 60 % 60):02}:{seconds % 60:06.3f}"


def streams(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)],
                         capture_output=True, check=True).stdout
    return json.loads(out)["streams"]


def first_ticks(path):
    """Returns the time of the first picture or sound in units of 1/90000 seconds."""
    return round(min(float(stream["start_time"]) for stream in streams(path)) * 90_000)


def routes(samples):
    """Returns routes with two languages.

    The segments of ten seconds cut one subtitle in two.
    """
    lines, found = ["#EXTM3U"], {"/s/": {"directory": str(samples.stream)}}
    ticks = first_ticks(samples.stream / "part0.ts")
    for name, _, flag, word in LANGUAGES:
        lines.append(f'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="../{name}",'
                     f'LANGUAGE="{name}",{flag},URI="{name}.m3u8"')
        playlist = ["#EXTM3U", "#EXT-X-TARGETDURATION:10"]
        for number in range(3):
            first, last = number * 10, min(number * 10 + 10, 24)
            playlist += [f"#EXTINF:{last - first},", f"{name}{number}.vtt"]
            # The times start again in each segment, because LOCAL is the start of the segment.
            text = (f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,"
                    f"MPEGTS:{(ticks + first * 90_000) % (1 << 33)}\n\n")
            for index, (start, end) in enumerate(TIMES):
                start, end = max(start, first), min(end, last)
                if start < end:
                    text += f"{clock(start - first)} --> {clock(end - first)}\n{word} {index}\n\n"
            found[f"/s/{name}{number}.vtt"] = {"text": text}
        found[f"/s/{name}.m3u8"] = {"text": "\n".join([*playlist, "#EXT-X-ENDLIST", ""])}
    lines += ['#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,SUBTITLES="s"', "stream.m3u8", ""]
    found["/s/master.m3u8"] = {"text": "\n".join(lines)}
    return found


def check(program):
    """Checks the languages, flags and times in the film, and the files beside the film."""
    item = program.item()
    assert item["state"] == "ready" and not item.get("note")
    film = program.media(item)
    assert media.picture_count(media.frame_hashes(film)) == media.FRAMES
    texts = [stream for stream in streams(film) if stream["codec_type"] == "subtitle"]
    assert [text["codec_name"] for text in texts] == ["mov_text"] * 2
    assert [text["tags"]["language"] for text in texts] == ["eng", "deu"]
    assert [text["tags"]["handler_name"] for text in texts] == ["../en", "../de"]
    assert [text["disposition"]["default"] for text in texts] == [1, 0]
    for number, (name, _, _, word) in enumerate(LANGUAGES):
        shown = media.ffmpeg("-i", film, "-map", f"0:s:{number}", "-f", "webvtt", "-").decode()
        beside = (program.media(item).with_suffix(f".{ENDS[name]}")).read_text()
        for text in (shown, beside):
            lines = text.splitlines()
            for index, (start, end) in enumerate(TIMES):
                assert read_time(lines, f"{word} {index}") == pytest.approx((start, end), abs=0.02)
    assert program.files() \
        == [f"{program.media(item).stem}.{end}" for end in ("de.forced.vtt", "en.vtt", "mp4")]
    # All files have the same permissions.
    assert len({path.stat().st_mode for path in program.library.glob("[!.]*")}) == 1
    assert not list((program.data / "work").iterdir())


def read_time(lines, text):
    line = lines[lines.index(text) - 1]
    return tuple(sum(float(part) * 60 ** power for power, part in enumerate(reversed(time.split(":"))))
                 for time in line.split(" --> "))


def test_o20_subtitles_are_in_the_film_and_beside_it(samples, program, origin):
    origin.serve(routes(samples))
    result = program.get(origin.url("/s/master.m3u8"))
    assert result.code == 0, result.err
    check(program)
    assert program.run("refresh", "--import").code == 0
    assert len(program.items()) == 1
    assert program.run("remove", "1", "--with-file").code == 0
    assert not program.files()


@pytest.mark.parametrize("point,count", [
    ("beforeSegmentCommit", 52), ("duringMux", 1), ("beforeFinalRename", 1), ("afterFinalRename", 1),
])
def test_o3_subtitles_survive_a_kill(point, count, samples, program, origin):
    origin.serve(routes(samples))
    address = origin.url("/s/master.m3u8")
    limit_segments(program)
    run = subprocess.run(
        [killpoint_binary(), program.library, address, point, str(count)],
        env=program.environment, capture_output=True, timeout=120, check=False)
    assert run.returncode == -9, run.stderr.decode()
    assert registry.snapshot(program.library).is_unfinished
    # Before the film has a name, none of the subtitles has a name.
    names = program.files()
    assert not [name for name in names if name.endswith(".vtt")]
    result = program.get(address)
    assert result.code == 0, result.err
    check(program)
    fetched = [entry["path"] for entry in origin.fetched() if entry["path"].endswith((".ts", ".vtt"))]
    assert len(fetched) - len(set(fetched)) <= PARALLEL_SEGMENTS


def test_o20_a_hostile_language_is_left_out_and_named(samples, program, origin):
    served = routes(samples)
    served["/s/de0.vtt"] = {"text": "WEBVTT\n\n" + "00:00.000 --> 00:01.000\nx\n\n" * 300_000}
    served["/s/en0.vtt"] = {
        "text": "WEBVTT\n\n00:01.000 --> 00:02.000\n<script>alert(1)</script>{\\an8}\u0000\n"}
    origin.serve(served)
    result = program.get(origin.url("/s/master.m3u8"))
    assert result.code == 0, result.err
    assert "Subtitles were left out: German" in program.item()["note"]
    beside = (program.media().with_suffix(".en.vtt")).read_text()
    assert "<script" not in beside and "alert(1)" in beside


def shown_cues(browser):
    return browser.script(
        "return [...document.querySelector('#player video').textTracks].map((track) =>"
        " [track.language, track.label, track.mode, [...track.activeCues ?? []].map((cue) => cue.text)])")


def test_o20_the_page_shows_the_subtitles_of_a_film(samples, program, origin, browser):
    origin.serve(routes(samples))
    assert program.get(origin.url("/s/master.m3u8")).code == 0
    server = Server(program)
    listed = server.items()[0]
    assert "subtitleFiles" not in listed
    browser.open(server.address)
    browser.click(".card .open")
    video = browser.until_shown("#player video")
    browser.until(lambda: len(shown_cues(browser)) == 2, "the subtitles are not listed")
    # Subtitles are off until the user chooses a language, and the choice applies to the next film.
    assert [cues[:3] for cues in shown_cues(browser)] \
        == [["de", "German (forced)", "disabled"], ["en", "English", "disabled"]]
    browser.script("arguments[0].pause(); arguments[0].currentTime = 10", video)
    browser.script("document.querySelector('#player-tuning').showPopover()")
    browser.find("#player-subtitles option[value='1']").click()
    browser.until(lambda: shown_cues(browser)[1][3] == ["Hello 1"], "no text appears")
    browser.picture("subtitles")
    browser.until(lambda: browser.script(
        "return localStorage.getItem('subtitles:language')") == "en", "the choice is not kept")
    browser.click("#player-close")
    browser.until_hidden("#player")
    browser.click(".card .open")
    browser.until(lambda: [cues[2] for cues in shown_cues(browser)] == ["disabled", "showing"],
                  "the chosen language is not shown")
    # C hides the subtitles and shows the last language again. The size is a separate choice.
    for modes in (["disabled", "disabled"], ["disabled", "showing"]):
        browser.driver.switch_to.active_element.send_keys("c")
        browser.until(lambda: [cues[2] for cues in shown_cues(browser)] == modes, "C has no effect")
    browser.script("document.querySelector('#player-tuning').showPopover()")
    browser.find("#player-size option[value=huge]").click()
    assert browser.script("return document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules])"
                          ".find((rule) => rule.selectorText === 'video::cue').style.fontSize") == "200%"
    # The system's controls name the film.
    assert browser.script("return navigator.mediaSession.metadata.title") == listed["title"]


def test_o20_subtitles_beside_an_imported_film_count(samples, program, browser):
    program.library.mkdir(parents=True)
    (program.library / "My film.mp4").write_bytes(samples.film.read_bytes())
    (program.library / "My film.srt").write_text("1\n00:00:00,000 --> 00:00:08,000\nBeside it\n")
    assert program.run("refresh", "--import").code == 0
    assert [item["fileName"] for item in program.items()] == ["My film.mp4"]
    server = Server(program)
    browser.open(server.address)
    browser.click(".card .open")
    video = browser.until_shown("#player video")
    browser.until(lambda: browser.script("return arguments[0].currentTime > 0", video), "it does not play")
    # A playing film would end, and the record of the end could come after the removal.
    browser.script("arguments[0].pause(); arguments[0].currentTime = 6", video)
    browser.until(lambda: len(shown_cues(browser)) == 1, "the subtitles are not listed")
    browser.script("arguments[0].textTracks[0].mode = 'showing'", video)
    browser.until(lambda: shown_cues(browser)[0][3] == ["Beside it"], "no text appears")
    browser.until(lambda: server.call("GET", "/api/items/1/playback")["seconds"] == 6, "the time is not recorded")
    # The removal may overtake the page's request for the new picture.
    browser.expected.append("/pictures/1")
    # The program did not write these subtitles and so does not delete the file.
    server.call("DELETE", "/api/items/1?withFile=true")
    assert program.files() == ["My film.srt"]


@pytest.mark.parametrize("content_type", ["text/vtt", "text/plain", "application/octet-stream"])
def test_o20_a_file_of_subtitles_is_kept_under_its_name(content_type, program, origin):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"
    origin.serve({"/film.vtt": {"text": text, "headers": {"Content-Type": content_type}}})
    result = program.get(origin.url("/film.vtt"))
    assert result.code == 0, result.err
    item = program.item()
    assert (item["fileName"], item["mediaType"]) == ("film.vtt", "text/vtt")
    assert program.media(item).read_text() == text


def test_o20_the_chosen_subtitles_are_kept(samples, program, origin):
    origin.serve(routes(samples))
    address = origin.url("/s/master.m3u8")
    result = program.get(address, "--subtitles", "de")
    assert result.code == 0, result.err
    texts = [stream for stream in streams(program.media(program.item(1)))
             if stream["codec_type"] == "subtitle"]
    assert [text["tags"]["language"] for text in texts] == ["deu"]
    assert program.get(address, "--subtitles", "none").code == 0
    kinds = [stream["codec_type"] for stream in streams(program.media(program.item(2)))]
    assert sorted(kinds) == ["audio", "video"]


def test_o20_the_sound_of_a_stream_with_both_is_kept_alone(samples, program, origin):
    origin.serve(routes(samples))
    result = program.get(origin.url("/s/master.m3u8"), "--quality", "audio")
    assert result.code == 0, result.err
    assert "The stream has no separate sound; that of its smallest picture was kept." in result.err
    found = streams(program.media())
    assert [stream["codec_type"] for stream in found] == ["audio"]
    assert float(found[0]["duration"]) == pytest.approx(24, abs=0.2)


def test_o29_subtitles_are_verified_from_their_download_on(samples, program, origin):
    origin.serve(routes(samples))
    assert program.get(origin.url("/s/master.m3u8")).code == 0
    path = next(program.library.glob("*.en.vtt"))
    content = path.read_text()
    path.write_text(content.replace("Hello", "Hallo"))
    result = program.run("verify")
    assert result.code == 1 and "1 not confirmed" in result.out, result.out + result.err
    assert f"The subtitles {path.name} have other bytes" in result.out
    # The user has edited the files.
    assert "`offline verify 1 --accept-subtitles` keeps it" in result.out
    Server(program)
    assert program.run("verify").code == 1
    assert program.run("verify", "1", "--accept-subtitles").code == 0
    path.unlink()
    result = program.run("verify")
    assert result.code == 1 and f"The subtitles {path.name} are missing." in result.out
