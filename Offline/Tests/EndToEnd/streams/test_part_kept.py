# SPDX-License-Identifier: Apache-2.0
"""Parts of streams with several tracks and breaks, and parts after kills and moves (O3 and O20)."""

import json
import re
import subprocess

import pytest

from harness import media
from harness.server import Server
from harness.waiting import wait_until

SECONDS = 12
HEAD = ["#EXTM3U", "#EXT-X-TARGETDURATION:10"]


def probe(path):
    """Returns the duration of each kind of track and the difference of the starts."""
    streams = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)],
        capture_output=True, check=True).stdout)["streams"]
    kinds = {each["codec_type"]: each for each in streams}
    return {kind: float(each["duration"]) for kind, each in kinds.items()}, \
        float(kinds["video"]["start_time"]) - float(kinds["audio"]["start_time"])


@pytest.fixture
def languages(tmp_path):
    return media.make_languages(tmp_path / "s", ["en"], SECONDS)


def serve(origin, folder, sound, breaks=(), texts=None):
    """Serves pictures in segments of half a second, and sound in longer segments.

    Each number in `sound` is the length of one segment in units of half a second.

    `breaks` are the times in seconds at which a playlist marks a discontinuity.
    """
    routes = {"/s/": {"directory": str(folder)}}
    count = 2 * SECONDS
    pictures = []
    for number in range(count):
        pictures += ["#EXT-X-DISCONTINUITY"] * (number / 2 in breaks) + [
            "#EXTINF:0.5,", f"part0-{number}.ts"]
    voices = []
    number = 0
    for size in sound:
        voices += ["#EXT-X-DISCONTINUITY"] * (number / 2 in breaks) + [
            f"#EXTINF:{size / 2},", f"sound{number}.ts"]
        path = folder / f"sound{number}.ts"
        path.write_bytes(b"".join((folder / f"part1-{each}.ts").read_bytes()
                                  for each in range(number, min(number + size, count))))
        number += size
    master = ["#EXTM3U", '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",'
              'DEFAULT=YES,URI="sound.m3u8"']
    stream = '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"'
    if texts:
        master += ['#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="English",LANGUAGE="en",'
                   'URI="texts.m3u8"']
        stream += ',SUBTITLES="t"'
        lines = []
        for number, text in enumerate(texts):
            lines += [f"#EXTINF:{SECONDS / len(texts)},", f"{number}.vtt"]
            routes[f"/s/{number}.vtt"] = {"text": text}
        routes["/s/texts.m3u8"] = {"text": "\n".join([*HEAD, *lines, "#EXT-X-ENDLIST", ""])}
    for name, lines in (("pictures", pictures), ("sound", voices)):
        routes[f"/s/{name}.m3u8"] = {"text": "\n".join([*HEAD, *lines, "#EXT-X-ENDLIST", ""])}
    routes["/s/film.m3u8"] = {"text": "\n".join([*master, stream, "pictures.m3u8", ""])}
    origin.serve(routes)
    return origin.url("/s/film.m3u8")


def fetched(origin):
    return {entry["path"][3:] for entry in origin.settled_log() if entry["path"].endswith(".ts")}


@pytest.mark.parametrize("size", [3, 7, 20])
def test_o20_a_part_has_the_sound_of_longer_segments_in_time(program, origin, languages, size):
    count = 2 * SECONDS
    address = serve(origin, languages, [min(size, count - at) for at in range(0, count, size)])
    result = program.get(address, "--chapters", "0:05-0:08")
    assert result.code == 0, result.err
    wanted = {f"part0-{number}.ts" for number in range(10, 16)}
    starts = [at for at in range(0, count, size) if at < 16 and at + size > 10]
    assert fetched(origin) == wanted | {f"sound{at}.ts" for at in starts}
    duration, delay = probe(program.media())
    assert abs(duration["video"] - 3) < 0.1
    assert abs(duration["audio"] - 3) < 0.1 and abs(delay) < 0.1, (duration, delay)
    note = program.item()["note"]
    assert "was kept, from the key frame before it on" in note and "The server's stream" not in note


@pytest.mark.parametrize("sound", [[4] * 6, [8, 8, 8], [3, 5] * 3])
def test_o20_a_part_across_a_break_of_the_times_is_kept(program, origin, languages, sound):
    address = serve(origin, languages, sound, breaks=(4, 8))
    result = program.get(address, "--chapters", "0:03-0:06")
    assert result.code == 0, result.err
    duration, delay = probe(program.media())
    assert abs(duration["video"] - 3) < 0.2, duration
    assert abs(duration["audio"] - 3) < 0.3 and abs(delay) < 0.1, (duration, delay)
    assert "The server's stream" not in program.item()["note"]


def test_o20_a_part_has_its_subtitles(program, origin, languages):
    texts = [f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:{{}}\n\n"
             f"00:{at + 1:02}.000 --> 00:{at + 2:02}.000\nAt {at + 1}\n" for at in range(0, SECONDS, 4)]
    start = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=start_time", "-of", "json",
         str(languages / "part0-0.ts")], capture_output=True, check=True).stdout)
    ticks = round(float(start["format"]["start_time"]) * 90_000)
    address = serve(origin, languages, [4] * 6, texts=[text.format(ticks) for text in texts])
    result = program.get(address, "--chapters", "0:04-0:09")
    assert result.code == 0, result.err
    assert {entry["path"] for entry in origin.settled_log() if entry["path"].endswith(".vtt")} \
        == {"/s/1.vtt", "/s/2.vtt"}
    text = next(program.library.glob("*.en.vtt")).read_text()
    assert re.search(r"00:00:01\.0\d+ --> 00:00:02\.0\d+\nAt 5\n", text), text
    assert "At 1\n" not in text


FAKE = """#!/bin/sh
# Kills the program at its first cut, of which it leaves the beginning.
case "$*" in *avoid_negative_ts*)
  if [ ! -e {marker} ]; then
    : > {marker}
    for last; do :; done
    printf part > "${{last#file:}}"
    kill -9 $PPID
    exec sleep 60
  fi;;
esac
exec {ffmpeg} "$@"
"""


def test_o3_a_kill_during_the_cut_of_a_file_leaves_nothing_behind(program, origin, samples, tmp_path):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    folder = tmp_path / "programs"
    folder.mkdir()
    ffmpeg = subprocess.run(["which", "ffmpeg"], capture_output=True, check=True, text=True).stdout
    fake = folder / "ffmpeg"
    fake.write_text(FAKE.format(marker=tmp_path / "killed", ffmpeg=ffmpeg.strip()))
    fake.chmod(0o755)
    program.added["PATH"] = f"{folder}:{program.environment['PATH']}"
    killed = program.get(origin.url("/film.mp4"), "--chapters", "0:02-0:05")
    assert killed.code == -9 and (tmp_path / "killed").exists()
    assert program.files() == []
    before = len(origin.settled_log())
    server = Server(program, "--allow-private")
    server.wait_until(lambda: server.item(1)["state"] == "ready")
    assert server.item(1)["keptChapters"] == "00:00:02-00:00:05"
    ranges = [entry["range"] for entry in origin.settled_log()[before:]]
    assert set(ranges) <= {f"bytes={samples.film.stat().st_size}-"}, ranges
    assert program.files() == ["film.mp4"]
    assert abs(probe(program.media())[0]["video"] - 3) < 0.6
    assert server.item(1)["note"].count("was kept") == 1
    # The server removes the folder of the download after recording that the item is ready.
    wait_until(lambda: not list((program.data / "work").iterdir()), program.root, "a download left files")


def test_o29_a_part_moves_to_another_library(program, programs, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)}})
    address = origin.url("/s/stream.m3u8")
    assert program.get(address, "--chapters", "0:04-0:08").code == 0
    text = program.root / "library.jsonl"
    assert program.run("export", text).code == 0
    other = programs("other")
    imported = other.run("import", text, "--allow-private")
    assert imported.code == 0, imported.err
    assert other.item()["keptChapters"] == "00:00:04-00:00:08"
    assert other.item()["state"] == "missing"
    # The same part is the same item, and the file is fetched again.
    result = other.get(address, "--chapters", "0:04-0:08")
    assert result.code == 0 and other.item()["state"] == "ready", result.err
    assert abs(probe(other.media())[0]["video"] - 4) < 0.1
    assert len(fetched(origin)) == 8


def test_o17_a_part_is_handed_to_the_running_server(program, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)}})
    server = Server(program, "--allow-private")
    for _ in range(2):
        result = program.get(origin.url("/s/stream.m3u8"), "--chapters", "0:04-0:08")
        assert result.code == 0, result.err
    assert [item["keptChapters"] for item in server.items()] == ["00:00:04-00:00:08"]
    assert abs(probe(program.media())[0]["video"] - 4) < 0.1
    assert fetched(origin) == {f"part{number}.ts" for number in range(8, 16)}
