# SPDX-License-Identifier: Apache-2.0
"""The commands in a terminal, with output, files and exit status."""

import os
import pty
import signal

import pytest

from harness import media, registry
from harness.origin import PAUSES, pausing_routes
from harness.program import finish
from harness.waiting import wait_until


def test_help_names_every_command_and_common_option(program):
    result = program.run("help")
    assert result.code == 0
    for word in ("serve", "get", "list", "refresh", "remove", "reports show", "--library",
                 "--sentry", "NO_COLOR"):
        assert f"\n  {word} " in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    assert program.run().out == result.out
    assert not program.library.exists()


@pytest.mark.parametrize("words,hint", [
    (["fetch"], "Unknown command “fetch”"),
    (["get"], "The address is missing"),
    (["get", "ftp://example.org/a"], "ftp"),
    (["get", "http://user:secret@example.org/a"], ""),
    (["get", "http://example.org/a", "--quality", "large"], "large"),
    (["get", "http://example.org/a", "--loud"], "Unknown option --loud"),
    (["remove", "first"], "not an item number"),
    (["following", "more"], "Unexpected argument “more”"),
])
def test_an_invalid_command_line_names_the_fault(words, hint, program):
    result = program.run(*words)
    assert result.code == 2
    assert hint in result.err and "secret" not in result.err
    assert result.out == ""


def test_a_command_for_several_items_continues_after_one_that_fails(program, origin):
    origin.serve({"/a": {"text": "a"}, "/b": {"text": "b"}})
    assert program.get(origin.url("/a")).code == program.get(origin.url("/b")).code == 0
    result = program.run("remove", "99", "1")
    assert result.code == 1 and "There is no item 99." in result.err
    assert "Item 1 is removed" in result.out
    assert [item["id"] for item in program.items()] == [2]
    for command in ("resume", "pause", "stop", "cancel", "keep"):
        result = program.run(command, "98", "99")
        assert result.code == 1 and "98" in result.err and "99" in result.err, result


def test_get_prints_the_path_of_the_whole_file(program, origin, samples):
    origin.serve({"/a%20film.mp4": {"file": str(samples.film)}})
    result = program.get(origin.url("/a%20film.mp4"))
    assert result.code == 0, result.err
    item = program.item()
    assert result.out == f"{program.media(item)}\n"
    assert program.media(item).read_bytes() == samples.film.read_bytes()
    assert item["title"] == "a film"
    assert (item["kind"], item["state"], item["mediaType"]) == ("file", "ready", "video/mp4")
    assert item["size"] == samples.film.stat().st_size
    assert (item["width"], item["height"]) == (640, 360)
    assert 7.9 < item["duration"] < 8.2
    assert item["hasPicture"] and (program.data / "pictures/1.jpg").stat().st_size > 500
    assert item["readyAt"] >= item["createdAt"]


def test_a_file_of_unknown_kind_is_stored_unchanged(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file)}})
    assert program.get(origin.url("/data")).code == 0
    assert program.media().read_bytes() == samples.file.read_bytes()
    assert program.media().name == "data.bin"


def variants():
    key = bytes(range(16))
    return {
        "fmp4": ["-hls_segment_type", "fmp4", "-hls_segment_filename", "part%d.m4s"],
        "byteranges": ["-hls_flags", "single_file"],
        "encrypted": ["-hls_key_info_file", "info"],
        "encrypted-iv": ["-hls_key_info_file", "info-iv"],
    }, key


@pytest.mark.parametrize("name", variants()[0])
def test_streams_of_every_kind_become_one_film(name, program, origin, samples, tmp_path):
    options, key = variants()
    folder = tmp_path / "hls"
    folder.mkdir()
    (folder / "key").write_bytes(key)
    (folder / "info").write_text(f"key\n{folder}/key\n")
    (folder / "info-iv").write_text(f"key\n{folder}/key\n{'0f' * 16}\n")
    media.make_stream(folder, options[name], segments=12)
    origin.serve({
        "/start": {"redirect": "/moved%20here/stream.m3u8"},
        "/moved%20here/": {"directory": str(folder)},
    })
    result = program.get(origin.url("/start"))
    assert result.code == 0, result.err
    assert media.picture_count(media.frame_hashes(program.media())) == 6 * media.RATE
    assert (program.item()["kind"], program.item()["mediaType"]) == ("stream", "video/mp4")


def test_o20_the_requested_quality_is_downloaded(program, origin, tmp_path):
    small = media.make_stream(tmp_path / "small", segments=4, size="160x90")
    large = media.make_stream(tmp_path / "large", segments=4, size="320x180")
    master = ("#EXTM3U\n"
              "#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=160x90\nsmall/stream.m3u8\n"
              "#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=320x180\nlarge/stream.m3u8\n")
    origin.serve({"/master.m3u8": {"text": master}, "/small/": {"directory": str(small)},
                  "/large/": {"directory": str(large)}})
    address = origin.url("/master.m3u8")
    assert program.get(address).code == 0
    assert program.get(address, "--quality", "90p").code == 0
    assert [item["height"] for item in program.items()] == [90, 180]
    nearest = program.get(address, "--quality", "720p")
    assert nearest.code == 0
    assert nearest.err == "The stream does not have 720p; 180p was kept.\n"


def test_progress_is_one_line_that_a_terminal_redraws(program, origin, samples):
    origin.serve(pausing_routes(samples))
    master, slave = pty.openpty()
    process = program.start_get(origin.url("/s/stream.m3u8"), stderr=slave)
    os.close(slave)
    shown = b""
    for pause in PAUSES:
        while f"{pause} of 48 segments".encode() not in shown:
            shown += os.read(master, 4096)
        origin.open_gate(str(pause))
    shown += read_all(master)
    assert finish(process).code == 0
    text = shown.decode()
    assert "\n" not in text.replace("\r\n", "")
    lines = [line for line in text.split("\r\x1b[2K") if line]
    percents = [int(line.split("%")[0].split()[-1]) for line in lines
                if "Fetching" in line and "%" in line]
    assert len(percents) >= 3 and percents == sorted(percents), lines
    assert any("of 48 segments" in line and "/s" in line for line in lines), lines
    assert text.endswith("\r\x1b[2K")


def read_all(terminal):
    data = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            return data
        if not piece:
            return data
        data += piece


def test_no_progress_is_printed_without_a_terminal(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file)}})
    assert program.get(origin.url("/data")).err == ""


@pytest.mark.parametrize("status", [404, 403, 410])
def test_a_refusal_of_the_server_fails_at_once(status, program, origin):
    origin.serve({"/gone": {"status": status, "text": "no"}})
    result = program.get(origin.url("/gone"))
    assert result.code == 1 and result.out == ""
    assert str(status) in result.err
    assert len(origin.settled_log()) == 1
    assert program.item()["error"]["code"] == "status"


def test_a_truncated_file_resumes_at_its_end(program, origin, samples):
    path = str(samples.file)
    origin.serve({"/data": [{"file": path, "cut": 1_500_000}, {"file": path}]})
    assert program.get(origin.url("/data")).code == 0
    assert program.media().read_bytes() == samples.file.read_bytes()
    assert [entry["range"] for entry in origin.settled_log()] == [None, "bytes=1500000-"]


def test_retry_after_of_an_overloaded_server_is_respected(program, origin, samples):
    busy = {"status": 503, "text": "busy", "headers": {"Retry-After": "2"}}
    origin.serve({"/data": [busy, {"file": str(samples.file)}]})
    assert program.get(origin.url("/data")).code == 0
    first, second = origin.settled_log()
    assert second["time"] - first["time"] >= 2


@pytest.mark.parametrize("number,kind", [
    (signal.SIGINT, "file"), (signal.SIGTERM, "stream"), (signal.SIGHUP, "file")])
def test_o17_an_interrupted_get_keeps_the_data_and_says_how_to_continue(
        number, kind, program, origin, samples):
    path = {"file": "/data", "stream": "/s/stream.m3u8"}[kind]
    origin.serve({
        "/data": {"file": str(samples.file), "gate": "middle", "gateAfter": 2_000_000},
        "/s/": {"directory": str(samples.stream)}, "/s/part20.ts": {"gate": "middle"},
    })
    process = program.start_get(origin.url(path))
    origin.wait_at_gate("middle")
    wait_until(lambda: has_some(registry.snapshot(program.library)), program.root)
    process.send_signal(number)
    result = finish(process)
    assert result.code == 130
    assert "kept" in result.err and "run the same command" in result.err
    left = registry.snapshot(program.library)
    assert left.state == "queued" and has_some(left)
    origin.open_gate("middle")
    begun = origin.newest_connection()
    assert program.get(origin.url(path)).code == 0
    asked = origin.fetched(after=begun)
    assert not {origin.url(entry["path"]) for entry in asked} & left.done
    if kind == "file":
        assert asked[0]["range"] == f"bytes={left.partial}-"
        assert program.media().read_bytes() == samples.file.read_bytes()


def has_some(snapshot):
    return snapshot.partial > 1_000_000 or len(snapshot.done) > 10


def test_o17_one_process_works_on_a_library(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "gate": "go"}})
    first = program.start_get(origin.url("/data"))
    origin.wait_at_gate("go")
    refused = program.run("remove", "1")
    assert refused.code == 1
    assert f"process {first.pid}" in refused.err and str(program.library) in refused.err
    assert [item["state"] for item in program.items()] == ["fetching"]
    origin.open_gate("go")
    assert finish(first).code == 0


def test_a_second_get_hands_its_address_to_the_first(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "gate": "go"},
                  "/other": {"file": str(samples.film)}})
    first = program.start_get(origin.url("/data"))
    origin.wait_at_gate("go")
    second = program.get(origin.url("/other"))
    # The first command has downloaded the file and still runs.
    assert second.code == 0, second.err
    item = next(item for item in program.items() if item["title"] == "other")
    assert second.out == f"{program.media(item)}\n"
    assert program.media(item).read_bytes() == samples.film.read_bytes()
    assert first.poll() is None
    origin.open_gate("go")
    assert finish(first).code == 0


def test_o1_an_address_is_handed_over_where_the_system_has_no_watch_left(
        program, origin, samples):
    no_watches = ["unshare", "--user", "--map-root-user", "sh", "-c",
                  'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"', "sh"]
    origin.serve({"/data": {"file": str(samples.file), "gate": "go"},
                  "/other": {"file": str(samples.film)}})
    first = program.start_get(origin.url("/data"), prefix=no_watches)
    origin.wait_at_gate("go")
    second = program.get(origin.url("/other"))
    assert second.code == 0, second.err
    assert first.poll() is None
    origin.open_gate("go")
    assert finish(first).code == 0


def test_the_second_get_continues_its_download_after_the_end_of_the_first(
        program, origin, samples):
    half = {"file": str(samples.file), "gate": "rest", "gateAfter": 1_000_000}
    origin.serve({"/data": {"file": str(samples.film), "gate": "go"}, "/other": half})
    first = program.start_get(origin.url("/data"))
    origin.wait_at_gate("go")
    second = program.start_get(origin.url("/other"))
    origin.wait_at_gate("rest")
    origin.open_gate("go")
    assert finish(first).code == 0
    origin.open_gate("rest")
    result = finish(second)
    assert result.code == 0, result.err
    item = next(item for item in program.items() if item["title"] == "other")
    assert program.media(item).read_bytes() == samples.file.read_bytes()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
@pytest.mark.parametrize("again", [(), ("--again",)], ids=["once", "again"])
def test_o1_a_handed_over_address_survives_the_end_of_both_commands(
        end, again, program, origin, samples):
    origin.serve({"/data": {"file": str(samples.film), "gate": "go"},
                  "/other": {"file": str(samples.file)}})
    first = program.start_get(origin.url("/data"))
    origin.wait_at_gate("go")
    # A stopped process holds the library and takes no request.
    first.send_signal(signal.SIGSTOP)
    second = program.start_get(origin.url("/other"), *again)
    folder = program.data / "requests"
    wait_until(lambda: [path.suffix for path in folder.iterdir()] == [".json"], folder)
    second.send_signal(end)
    assert finish(second).code != 0
    first.kill()
    first.wait()
    assert program.run("refresh").code == 0
    assert {item["title"]: item["state"] for item in program.items()} \
        == {"data": "queued", "other": "queued"}
    assert list(folder.iterdir()) == []
    assert program.get(origin.url("/other")).code == 0
    assert len(program.items()) == 2


def test_eight_gets_at_once_keep_all_addresses(program, origin, samples):
    names = [f"file{number}" for number in range(8)]
    origin.serve({f"/{name}": {"file": str(samples.film)} for name in names})
    running = [program.start_get(origin.url(f"/{name}")) for name in names]
    results = [finish(process) for process in running]
    assert [result.code for result in results] == [0] * 8, [result.err for result in results]
    assert sorted(item["title"] for item in program.items()) == names
    assert len({result.out for result in results}) == 8


def test_o18_the_same_address_is_the_same_item(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file)}})
    address = origin.url("/data")
    first = program.get(address)
    asked = len(origin.settled_log())
    again = program.get(address)
    assert (again.code, again.out) == (0, first.out)
    assert len(origin.settled_log()) == asked
    assert len(program.items()) == 1
    second = program.get(address, "--again")
    assert second.code == 0 and second.out != first.out
    assert [item["id"] for item in program.items()] == [2, 1]
    assert {item["title"] for item in program.items()} == {"data"}


def test_o18_two_commands_at_once_keep_a_file_once_in_any_quality(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "gate": "go"}})
    address = origin.url("/data")
    running = [program.start_get(address, *options) for options in ((), ("--quality", "audio"))]
    # A server gets one request at a time, so that the second item waits for the answer to this
    # request.
    origin.wait_at_gate("go")
    wait_until(lambda: len(program.items()) == 2, program.root)
    origin.open_gate("go")
    results = [finish(process) for process in running]
    # A command that has handed over an address finds the item that keeps the file.
    refused = [result.err for result in results if result.code != 0]
    assert len(refused) <= 1, refused
    assert all("one file for all qualities" in err and "--again" in err for err in refused), refused
    # An item that the process did not start waits for the next start.
    states = sorted(item["state"] for item in program.items())
    assert states in (["failed", "ready"], ["queued", "ready"]), states
    assert program.files() == ["data.bin"]
    for options in ((), ("--quality", "audio")):
        found = program.get(address, *options)
        assert found.code == 0 and found.out.strip().endswith("/data.bin"), found.err


def test_private_addresses_are_refused_unless_allowed(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file)}})
    result = program.run("get", origin.url("/data"), "--wait")
    assert result.code == 1
    assert "private address" in result.err and "--allow-private" in result.err
    assert origin.log() == []
    assert program.item()["error"]["code"] == "privateAddress"
    assert program.get(origin.url("/data")).code == 0


def test_o5_a_changed_file_is_never_a_splice(program, origin, samples):
    middle = {"file": str(samples.file), "gate": "middle", "gateAfter": 2_000_000}
    origin.serve({"/data": middle})
    process = program.start_get(origin.url("/data"))
    origin.wait_at_gate("middle")
    wait_until(lambda: registry.snapshot(program.library).partial > 1_000_000, program.root)
    process.kill()
    process.wait()
    origin.open_gate("middle")
    origin.serve({"/data": {"file": str(samples.other_file)}})
    result = program.get(origin.url("/data"))
    assert result.code == 0
    assert "Started over: the server's file changed" in result.err
    assert program.media().read_bytes() == samples.other_file.read_bytes()


@pytest.mark.parametrize("ranges", ["ignore", "wrong", "refuse", "silent"])
def test_o5_a_wrong_response_to_a_range_never_corrupts_the_file(
        ranges, program, origin, samples):
    path = str(samples.file)
    origin.serve({"/data": [{"file": path, "cut": 1_500_000}, {"file": path, "ranges": ranges}]})
    assert program.get(origin.url("/data")).code == 0
    assert program.media().read_bytes() == samples.file.read_bytes()


def test_o6_a_missing_segment_is_named_and_only_it_is_fetched_later(
        program, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)},
                  "/s/part7.ts": {"status": 404, "text": "no"}})
    failed = program.get(origin.url("/s/stream.m3u8"))
    assert failed.code == 1 and failed.out == ""
    assert "1 of 48 segments are missing (8)" in failed.err and "part7.ts" in failed.err
    item = program.item()
    assert (item["state"], item["error"]["code"]) == ("failed", "missingSegments")
    assert not program.files()
    seen = len(origin.fetched())
    origin.serve({"/s/part7.ts": {}})
    assert program.get(origin.url("/s/stream.m3u8")).code == 0
    assert [entry["path"] for entry in origin.fetched()[seen:]] \
        == ["/s/stream.m3u8", "/s/part7.ts"]
    assert media.picture_count(media.frame_hashes(program.media())) == media.FRAMES


def test_o6_a_segment_ended_only_by_the_connection_must_be_read_to_its_end(
        program, programs, origin, samples):
    whole = {"framing": "close"}
    origin.serve({"/s/": {"directory": str(samples.stream)}, "/s/part3.ts": whole})
    assert program.get(origin.url("/s/stream.m3u8")).code == 0
    assert media.picture_count(media.frame_hashes(program.media())) == media.FRAMES
    half = (samples.stream / "part3.ts").stat().st_size // 2
    origin.serve({"/s/part3.ts": {"framing": "close", "cut": half}})
    other = programs("other")
    result = other.get(origin.url("/s/stream.m3u8"))
    assert result.code == 1 and other.item()["state"] == "failed"
    assert not other.files()


def test_list_shows_the_items(program, origin, samples):
    assert program.run("refresh").code == 0
    assert f"The library in {program.library} is empty" in program.run("list").out
    assert program.items() == []
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/no": {"status": 404, "text": ""}})
    program.get(origin.url("/film.mp4"))
    program.get(origin.url("/no"))
    text = program.run("list").out
    # The size depends on the version of ffmpeg.
    assert "film" in text and "0:08" in text and f"{samples.film.stat().st_size / 1e6:.1f} MB" in text
    assert "failed" in text and "status" in text


def test_o10_refresh_flags_missing_files_and_deletes_nothing(program, origin, samples):
    origin.serve({f"/{name}": {"file": str(samples.film)} for name in "abcd"})
    for name in "abcd":
        assert program.get(origin.url(f"/{name}")).code == 0
    assert "Compared 4 items." in program.run("refresh").out
    film = program.media(program.item(1))
    film.rename(program.cwd / "away.mp4")
    report = program.run("refresh")
    assert report.code == 0 and "Missing" in report.out and "1  a" in report.out
    assert program.item(1)["state"] == "missing"
    (program.cwd / "away.mp4").rename(film)
    assert "Returned:" in program.run("refresh").out
    assert program.item(1)["state"] == "ready"
    film.unlink()
    removed = program.run("refresh", "--remove-missing")
    assert "Removed:" in removed.out
    assert [item["id"] for item in program.items()] == [4, 3, 2]


def test_o10_refresh_imports_files_without_an_item(program, origin, samples):
    origin.serve({"/a": {"file": str(samples.film)}})
    program.get(origin.url("/a"))
    stray = program.library / "holiday <b>.mp4"
    stray.write_bytes(samples.film.read_bytes())
    (program.library / "broken.mp4").write_bytes(b"\0\0\0\x18ftypmp42nothing more")
    (program.library / "link.mp4").symlink_to(samples.film)
    report = program.run("refresh")
    assert "--import adds them" in report.out and "holiday <b>.mp4" in report.out
    assert len(program.items()) == 1
    imported = program.run("refresh", "--import")
    assert "Imported:" in imported.out and "broken.mp4" in imported.out, imported.out
    # The exit status reports the broken film and the link. All further files are imported.
    assert imported.code == 1, imported.out
    assert "--import" not in imported.out, imported.out
    broken, item = program.item(2), program.item(3)
    assert broken["state"] == "failed" and "offline retry 2" in broken["error"]["message"]
    assert (program.library / "broken.mp4").read_bytes().startswith(b"\0\0\0\x18ftypmp42")
    assert item["title"] == "holiday <b>" and item["state"] == "ready"
    assert program.media(item).read_bytes() == samples.film.read_bytes()
    assert program.media(item) == stray
    (program.library / "link.mp4").unlink()
    assert program.run("refresh", "--import").code == 0


def test_o10_refresh_asks_before_it_flags_more_than_half(program, origin, samples):
    origin.serve({f"/{name}": {"file": str(samples.film)} for name in "abc"})
    for name in "abc":
        program.get(origin.url(f"/{name}"))
    for path in list(map(program.library.joinpath, program.files()))[:2]:
        path.unlink()
    result = program.run("refresh", "--remove-missing")
    assert result.code == 1 and "more than half" in result.out
    assert {item["state"] for item in program.items()} == {"ready"}
    assert program.run("refresh", "--yes").code == 0
    assert sorted(item["state"] for item in program.items()) == ["missing", "missing", "ready"]


def test_remove_keeps_the_file_without_the_option(program, origin, samples):
    origin.serve({f"/{name}": {"file": str(samples.film)} for name in "ab"})
    program.get(origin.url("/a"))
    program.get(origin.url("/b"))
    assert program.run("remove", "1").code == 0
    assert (program.library / "a.mp4").exists()
    assert program.run("remove", "2", "--with-file").code == 0
    assert not (program.library / "b.mp4").exists()
    assert program.items() == []
    missing = program.run("remove", "2")
    assert missing.code == 1 and "There is no item 2" in missing.err
