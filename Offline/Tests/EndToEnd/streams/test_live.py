# SPDX-License-Identifier: Apache-2.0
"""Recordings of live streams."""

import shutil
import signal
import subprocess

import pytest

from harness import media
from harness.live import LiveStream
from harness.program import finish, kill
from harness.server import Server


@pytest.fixture
def live(origin, samples):
    return LiveStream(origin, samples.stream)


def expected(live, numbers, programs, gaps=(), **options):
    """Returns the hashes of the frames of the same segments from a stream that has ended."""
    numbers = list(numbers)
    tags = {number: [*options.pop("tags", {}).get(number, []), "#EXT-X-GAP"] for number in gaps}
    other = programs("ended")
    live.origin.serve({live.path + "ended.m3u8": {
        "text": live.text(numbers, ended=True, tags=tags, **options)}})
    result = other.get(live.origin.url(live.path + "ended.m3u8"))
    assert result.code == 0, result.err
    hashes = media.frame_hashes(other.media())
    other.close()
    return hashes


def start(program, live, *options):
    return program.start_get(live.address, "--live", *options)


def expect_film(program, process, hashes):
    result = finish(process)
    assert result.code == 0, result.err
    assert program.item()["state"] == "ready"
    assert media.frame_hashes(program.media()) == hashes
    return program.item()


def test_o25_a_stream_is_recorded_to_its_end_without_a_lost_segment(program, programs, live):
    live.publish(range(4, 8))
    process = start(program, live)
    for end in range(9, 17, 2):
        live.wait_for(program, range(4, end - 2))
        live.publish(range(end - 4, end))
    live.wait_for(program, range(4, 15))
    live.publish(range(12, 18), ended=True)
    item = expect_film(program, process, expected(live, range(4, 18), programs))
    assert "note" not in item
    assert abs(item["duration"] - 7) < 0.2


def test_o25_ctrl_c_ends_the_recording_and_makes_the_film(program, programs, live):
    live.publish(range(0, 5))
    process = start(program, live)
    live.wait_for(program, range(0, 5))
    process.send_signal(signal.SIGINT)
    expect_film(program, process, expected(live, range(0, 5), programs))


def test_o25_a_killed_recording_goes_on(program, programs, live):
    live.publish(range(0, 5))
    process = start(program, live)
    live.wait_for(program, range(0, 5))
    kill(process)
    before = live.origin.newest_connection()
    live.publish(range(3, 9))
    process = start(program, live)
    live.wait_for(program, range(0, 9))
    again = {entry["path"] for entry in live.origin.fetched(after=before)}
    assert not again & {f"/live/part{number}.ts" for number in range(5)}
    live.publish(range(5, 10), ended=True)
    expect_film(program, process, expected(live, range(0, 10), programs))


def test_o25_a_gap_is_named_and_the_recording_goes_on(program, programs, live):
    live.publish(range(0, 4))
    process = start(program, live)
    live.wait_for(program, range(0, 4))
    live.publish(range(8, 12))
    live.wait_for(program, range(8, 12))
    # The note appears while the recording continues.
    assert program.item()["note"] == "A part of the stream is missing in the recording at 0:02–0:04."
    live.publish(range(8, 13), ended=True)
    hashes = expected(live, range(0, 13), programs, gaps=range(4, 8))
    item = expect_film(program, process, hashes)
    assert item["note"] == "A part of the stream is missing in the recording at 0:02–0:04."


def test_o25_a_lost_segment_is_a_gap(program, programs, live):
    live.origin.serve({"/live/part2.ts": {"status": 404, "text": "gone"}})
    live.publish(range(0, 6))
    process = start(program, live)
    live.wait_for(program, [0, 1, 3, 4, 5])
    live.publish(range(0, 6), ended=True)
    item = expect_film(program, process, expected(live, range(0, 6), programs, gaps=[2]))
    assert item["note"] == "A part of the stream is missing in the recording at 0:01–0:02."


def test_o25_the_time_to_record_counts_from_the_first_segment(program, programs, live):
    live.publish(range(0, 20))
    process = start(program, live, "--for", "4s")
    expect_film(program, process, expected(live, range(0, 8), programs))


def test_o25_a_restarted_server_is_a_discontinuity(program, programs, live):
    live.publish(range(10, 16))
    process = start(program, live)
    live.wait_for(program, range(10, 16))
    live.publish(range(20, 23), sequence=0)
    live.wait_for(program, range(20, 23))
    live.publish(range(20, 24), sequence=0, ended=True)
    result = finish(process)
    assert result.code == 0, result.err
    assert media.picture_count(media.frame_hashes(program.media())) == 10 * media.RATE // 2
    assert program.item()["note"] == "A part of the stream is missing in the recording at 0:03."
    assert abs(program.item()["duration"] - 5) < 0.3


def test_o25_a_refused_live_stream_is_recorded_and_stopped_on_the_page(
        browser, program, programs, live):
    server = Server(program, "--allow-private")
    live.publish(range(0, 4))
    browser.open(server.address)
    browser.section("downloads")
    server.download(live.address)
    browser.until_text("#rows li .error", "Record keeps it")
    press(browser, "Record")
    browser.until_text("#rows li .state", "Recording")
    live.wait_for(program, range(0, 4))
    browser.until_text("#rows li .facts", "0:02 recorded · 4 parts")
    assert "%" not in browser.find("#rows li .facts").text
    press(browser, "Stop")
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    assert media.frame_hashes(program.media(server.item(1))) == expected(live, range(0, 4), programs)


def press(browser, name):
    browser.click("#rows .acts button", name)


FRAGMENTS = ["-hls_segment_type", "fmp4", "-hls_segment_filename", "part%d.m4s"]


def test_o25_fragments_with_an_initialization_section_are_recorded(
        program, programs, origin, tmp_path):
    folder = media.make_stream(tmp_path / "hls", FRAGMENTS, segments=10)
    live = LiveStream(origin, folder)
    live.publish(range(0, 4))
    process = start(program, live)
    live.wait_for(program, range(0, 4))
    live.publish(range(7, 10))
    live.wait_for(program, range(7, 10))
    live.publish(range(7, 10), ended=True)
    expect_film(program, process, expected(live, range(0, 10), programs, gaps=range(4, 7)))
    assert [entry["path"] for entry in origin.fetched()].count("/live/init.mp4") == 2


def test_o25_keys_that_rotate_are_followed(program, programs, origin, samples, tmp_path):
    live = LiveStream(origin, encrypted(samples.stream, tmp_path, 8))
    tags = {number: [f'#EXT-X-KEY:METHOD=AES-128,URI="key{number // 2}"'] for number in range(8)}
    live.publish(range(0, 4), tags=tags)
    process = start(program, live)
    live.wait_for(program, range(0, 4))
    live.publish(range(3, 8), tags=tags, ended=True)
    hashes = expected(LiveStream(origin, samples.stream, "/plain/"), range(0, 8), programs)
    expect_film(program, process, hashes)


def encrypted(source, folder, count):
    """Returns a folder with encrypted segments and a new key for every second segment."""
    shutil.copy(source / "stream.m3u8", folder)
    for number in range(count):
        key = bytes([number // 2 + 1] * 16)
        (folder / f"key{number // 2}").write_bytes(key)
        subprocess.run(
            ["openssl", "enc", "-aes-128-cbc", "-K", key.hex(), "-iv", f"{number:032x}", "-in",
             str(source / f"part{number}.ts"), "-out", str(folder / f"part{number}.ts")], check=True)
    return folder


def test_o20_a_live_stream_is_refused_unless_it_is_to_be_recorded(program, programs, live):
    live.publish(range(0, 3))
    result = program.get(live.address)
    assert result.code == 1 and "--live" in result.err
    assert program.item()["error"]["code"] == "live"
    process = start(program, live)
    live.wait_for(program, range(0, 3))
    live.publish(range(0, 4), ended=True)
    expect_film(program, process, expected(live, range(0, 4), programs))


def test_a_stream_that_has_ended_needs_no_recording(program, programs, live):
    live.publish(range(0, 3), ended=True)
    expect_film(program, start(program, live), expected(live, range(0, 3), programs))


def test_o25_a_killed_recording_is_finished_by_a_stop(program, programs, live):
    live.publish(range(0, 5))
    process = start(program, live)
    live.wait_for(program, range(0, 5))
    kill(process)
    live.origin.serve({"/live/live.m3u8": {"status": 404, "text": "gone"}})
    stopped = program.run("stop", "1")
    assert stopped.code == 0, stopped.err
    process = program.start_get(live.address)
    item = expect_film(program, process, expected(live, range(0, 5), programs))
    assert "note" not in item
    again = program.run("stop", "1")
    assert again.code == 1 and "not being recorded" in again.err


def test_o25_the_server_records_until_it_is_asked_to_stop(program, programs, live):
    server = Server(program)
    live.publish(range(0, 5))
    item = server.download(live.address, live={"seconds": 3600})
    assert item["live"] == {"isOver": False, "seconds": 3600}
    live.wait_for(program, range(0, 5))
    # The program counts a segment just after recording the segment in the registry.
    server.wait_for_items(lambda items: items[1].get("doneSegments") == 5)
    item = server.item(1)
    assert item["state"] == "fetching" and item["recordedSeconds"] == 2.5
    assert item["doneSegments"] == 5
    assert not {"fraction", "totalSegments", "remainingSeconds"} & item.keys()
    server.call("POST", "/api/items/1/stop", {})
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    assert media.frame_hashes(program.media(server.item(1))) == expected(live, range(0, 5), programs)
    assert server.request("POST", "/api/items/1/stop", {})[0] == 409


def test_o25_a_paused_recording_goes_on_with_a_gap(program, programs, live):
    server = Server(program)
    live.publish(range(0, 4))
    server.download(live.address, live={})
    live.wait_for(program, range(0, 4))
    assert server.call("POST", "/api/items/1/pause", {})["state"] == "paused"
    live.publish(range(6, 10))
    server.call("POST", "/api/items/1/retry", {})
    live.wait_for(program, range(6, 10))
    server.call("POST", "/api/items/1/pause", {})
    # A paused recording also becomes a finished item.
    server.call("POST", "/api/items/1/stop", {})
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    item = server.item(1)
    assert item["note"] == "A part of the stream is missing in the recording at 0:02–0:03."
    hashes = expected(live, range(0, 10), programs, gaps=[4, 5])
    assert media.frame_hashes(program.media(item)) == hashes


def test_o25_the_terminal_names_a_recording(program, live):
    live.publish(range(0, 4))
    process = start(program, live)
    live.wait_for(program, range(0, 4))
    assert " recording 0:02  " in program.run("list").out
    assert "State:     recording 0:02" in program.run("show", "1").out
    kill(process)
    server = Server(program)
    live.wait_for(program, range(0, 4))
    paused = program.run("pause", "1")
    assert paused.code == 0 and "its recording has a gap" in paused.out
    assert "The running server records it." in program.run("resume", "1").out
    assert "The running server records it." in program.run("get", live.address, "--live").err
    server.kill()


def test_o25_an_ended_recording_is_named_as_one(program, live):
    live.publish(range(0, 4))
    process = start(program, live)
    live.wait_for(program, range(0, 4))
    process.send_signal(signal.SIGTERM)
    result = finish(process)
    assert result.code == 130 and "the same command to record on" in result.err


def test_o25_nonsense_between_the_playlists_is_outlasted(program, programs, live):
    live.publish(range(0, 3))
    process = start(program, live)
    live.wait_for(program, range(0, 3))
    master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlive.m3u8\n"
    longer = live.text(range(1, 5)).replace("TARGETDURATION:1", "TARGETDURATION:0")
    many = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + "#EXTINF:1,\na\n" * 100_001
    live.origin.serve({"/live/live.m3u8": [
        {"text": "<!doctype html><p>busy"}, {"status": 503, "text": "busy"}, {"text": master},
        {"text": many}, {"text": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"}, {"text": longer, "cut": 90},
        {"text": longer}]})
    live.wait_for(program, range(0, 5))
    live.publish(range(2, 6), ended=True)
    item = expect_film(program, process, expected(live, range(0, 6), programs))
    assert "note" not in item


def test_o25_all_languages_and_subtitles_are_recorded(program, origin, tmp_path):
    folder = media.make_languages(tmp_path / "hls", ["en", "de"], seconds=5)
    names = ["list0", "list1", "list2"]
    lives = [LiveStream(origin, folder, source=f"{name}.m3u8", name=f"live-{name}.m3u8")
             for name in names]
    texts = {f"/live/t{number}.vtt": {"text": text(number, folder)} for number in range(8)}
    lines = ["#EXTM3U", "#EXT-X-VERSION:7"]
    lines += [f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="{name}",LANGUAGE="{name}",'
              f'URI="live-list{number}.m3u8"' for number, name in ((1, "en"), (2, "de"))]
    lines += ['#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="fr",LANGUAGE="fr",URI="text.m3u8"',
              '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,AUDIO="s",SUBTITLES="t"',
              "live-list0.m3u8", ""]
    origin.serve({**texts, "/live/master.m3u8": {"text": "\n".join(lines)}})

    def publish(numbers, ended=False):
        playlist = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", f"#EXT-X-MEDIA-SEQUENCE:{numbers[0]}"]
        for number in numbers:
            playlist += ["#EXTINF:0.5,", f"t{number}.vtt"]
        playlist += ["#EXT-X-ENDLIST"] * ended
        origin.serve({"/live/text.m3u8": {"text": "\n".join([*playlist, ""])}})
        # The pictures come last, because the other tracks do not outlast the pictures for long.
        for live in reversed(lives):
            live.publish(numbers, ended=ended)

    publish(range(0, 4))
    process = program.start_get(origin.url("/live/master.m3u8"), "--live")
    for live in lives:
        live.wait_for(program, range(0, 4))
    publish(range(2, 8), ended=True)
    result = finish(process)
    assert result.code == 0, result.err
    film = program.media()
    assert media.picture_count(media.frame_hashes(film)) == 8 * media.RATE // 2
    shown = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "stream=codec_type:stream_tags=language", "-of",
         "csv=p=0", str(film)], capture_output=True, check=True, text=True).stdout.split()
    assert shown == ["video,und", "audio,eng", "audio,deu", "subtitle,fra"]
    beside = film.with_suffix(".fr.vtt").read_text()
    assert all(f"Mot {number}" in beside for number in range(8))
    assert "note" not in program.item()


def text(number, folder):
    """Returns the subtitles of one segment of half a second."""
    out = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "stream=start_time", "-of", "csv=p=0",
         str(folder / "part0-0.ts")], capture_output=True, check=True, text=True).stdout
    ticks = round(float(out.split()[0]) * 90_000) + number * 45_000
    return (f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:{ticks}\n\n"
            f"00:00.100 --> 00:00.400\nMot {number}\n")
