# SPDX-License-Identifier: Apache-2.0
"""Several connections for one slow file (O24)."""

import contextlib
import os
import signal
import sqlite3

import pytest

from harness import registry
from harness.kills import ALLOWED_LOSS, unread_bytes
from harness.media import make_bytes
from harness.program import finish, kill
from harness.server import Server
from harness.waiting import wait_until

SIZE = 12_000_000
RATE = 1_500_000
# Every machine keeps up with this rate, so that more connections fetch more bytes. No file here
# ends before the test has seen the connections, because a new trial follows in time after a failed
# trial.
CRAWL = 60_000
KILLS = int(os.environ.get("OFFLINE_KILLS") or 8)
MAXIMUM = 4


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return make_bytes(tmp_path_factory.mktemp("connections") / "data.bin", SIZE, seed=3)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return make_bytes(tmp_path_factory.mktemp("connections") / "other.bin", SIZE, seed=4)


def slow(path, **more):
    """A route that limits the rate of each connection, with the latency of a distant server."""
    return {"file": str(path), "throttle": RATE, "delay": 0.05, **more}


def held(path, rate=RATE, **more):
    """A route that crawls until the test has seen enough and opens the gate "go"."""
    return slow(path, throttle=CRAWL, faster=["go", rate], **more)


def fetched(log):
    return sum(entry["sent"] for entry in log)


def loss(log):
    """The number of bytes that a killed or stopped connection may have sent in vain."""
    return len(log) * ALLOWED_LOSS


def test_o24_a_slow_file_is_fetched_over_four_connections(program, origin, file):
    origin.serve({"/data.bin": held(file)})
    process = program.start_get(origin.url("/data.bin"))
    origin.log(arrived=MAXIMUM)
    origin.open_gate("go")
    result = finish(process)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert program.item().get("note") is None
    log = origin.settled_log()
    assert log[0]["range"] is None
    tag = next(value for name, value in log[1]["headers"].items() if name == "If-Range")
    assert all(entry["status"] == 206 and entry["headers"]["If-Range"] == tag for entry in log[1:])
    assert fetched(log) <= SIZE + loss(log)
    assert not list((program.data / "work").iterdir())


def test_o24_a_fast_or_small_file_has_one_connection(program, origin, samples):
    # After the first megabyte, the rest of the file is too small for a further connection.
    origin.serve({"/fast.bin": {"size": 5_000_000, "seed": 5},
                  "/small.bin": {"file": str(samples.file), "throttle": 4_000_000}})
    for name in ("fast", "small"):
        assert program.get(origin.url(f"/{name}.bin")).code == 0
    log = origin.settled_log()
    fast, small = ([entry for entry in log if entry["path"] == f"/{name}.bin"] for name in ("fast", "small"))
    assert [entry["range"] for entry in small] == [None]
    # A rate counts after 0.3 seconds. A server that stands still for so long is not fast.
    assert fast[0]["range"] is None
    assert all(entry["time"] - fast[0]["time"] >= 0.3 for entry in fast[1:]), fast


def test_o24_a_server_that_shares_one_rate_gets_one_connection_again(program, origin, file):
    origin.serve({"/data.bin": held(file, rate=4_000_000, shared=True)})
    process = program.start_get(origin.url("/data.bin"))
    # The further connection of the trial has ended.
    origin.log(arrived=2, finished=1)
    origin.open_gate("go")
    result = finish(process)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    log = origin.settled_log()
    # The log has one trial, and a request for the bytes after the trial's bytes.
    assert 2 <= len(log) <= 4 + (log[-1]["time"] - log[0]["time"]) // 5
    assert fetched(log) <= SIZE + loss(log)


@pytest.mark.parametrize("fields", [
    {"etag": None}, {"etag": 'W/"weak"'}, {"ranges": "silent"}, {"framing": "chunked"},
], ids=["none", "weak", "silent", "unsized"])
def test_o24_without_a_validator_and_ranges_a_file_has_one_connection(program, origin, file, fields):
    origin.serve({"/data.bin": slow(file, throttle=6_000_000, **fields)})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert [entry["range"] for entry in origin.settled_log()] == [None]


REFUSALS = [{"status": 503, "text": "busy", "etag": None}, {"status": 429, "text": "busy", "etag": None},
            {"ranges": "ignore"}, {"ranges": "wrong"}, {"ranges": "refuse"}, {"etag": 'W/"weak"'}]


@pytest.mark.parametrize("refusal", REFUSALS, ids=["503", "429", "200", "wrong", "416", "weak"])
def test_o24_a_refused_second_connection_costs_nothing(program, origin, file, refusal):
    route = held(file, rate=4_000_000)
    answer = refusal if "status" in refusal else {**route, **refusal}
    # A connection that replaces the first one after a standstill is not a second connection.
    origin.serve({"/data.bin": [route, answer, route]})
    process = program.start_get(origin.url("/data.bin"))
    origin.log(arrived=2, finished=1)
    origin.open_gate("go")
    result = finish(process)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert program.item().get("note") is None
    log = origin.settled_log()
    assert [entry["status"] for entry in log[:1]] == [200]
    # A connection without bytes for five seconds is replaced, even if the machine stood still.
    assert 2 <= len(log) <= 2 + (log[-1]["time"] - log[0]["time"]) // 5, "the server was asked again"
    assert log[0]["sent"] == SIZE or len(log) > 2


def test_o24_a_stalled_connection_resumes_although_a_further_one_was_refused(program, origin, file):
    # The gate stays closed, so the only accepted connection stalls.
    stalling = slow(file, gate="go", gateAfter=3_000_000)
    origin.serve({"/data.bin": [stalling, {"status": 403, "text": "no", "etag": None}, slow(file)]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    origin.open_gate("go")
    assert [entry["status"] for entry in origin.settled_log()][:2] == [200, 403]


def test_o24_a_server_that_refuses_the_rest_is_not_asked_again_and_again(program, origin, file):
    cut = slow(file, cut=3_000_000)
    origin.serve({"/data.bin": [{**cut, "times": 4}, {"status": 403, "text": "expired"}]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 1
    assert program.item()["error"]["code"] == "status"
    assert len(origin.settled_log()) < 12


def test_o24_a_changed_file_starts_over_and_is_never_a_splice(program, origin, file, other):
    # The gate stays closed, so the first connections never have all bytes of the old file.
    old, new = held(file, etag='"old"'), slow(other, throttle=6_000_000, etag='"new"')
    origin.serve({"/data.bin": [old, {**old, "times": 2}, new]})
    result = program.get(origin.url("/data.bin"), timeout=200)
    assert result.code == 0, result.err
    assert "Started over" in result.err
    assert program.media().read_bytes() == other.read_bytes()
    assert "changed" in program.item()["note"]


def test_o24_servers_with_different_versions_start_over_once(program, origin, file):
    one, another = held(file, rate=4_000_000, etag='"one"'), slow(file, etag='"another"')
    origin.serve({"/data.bin": [one, another, one, another]})
    process = program.start_get(origin.url("/data.bin"))
    origin.log(arrived=3)
    origin.open_gate("go")
    result = finish(process)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert [entry["range"] is None for entry in origin.settled_log()] == [True, False, True]


def test_o24_cut_connections_are_replaced(program, origin, file):
    route = held(file)
    origin.serve({"/data.bin": [route, {**route, "cut": 200_000}, {**route, "cut": 300_000, "reset": True},
                                route]})
    process = program.start_get(origin.url("/data.bin"))
    origin.log(arrived=5, finished=2)
    origin.open_gate("go")
    result = finish(process)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    log = origin.settled_log()
    assert fetched(log) <= SIZE + loss(log)
    assert len(log) >= 5


def test_o24_a_stalled_connection_is_replaced(program, origin, file):
    route = held(file)
    # The few bytes keep the connection from timing out, but the rest would take hours.
    origin.serve({"/data.bin": [route, {**route, "crawl": [200_000, 1_000, 20]}, route]})
    process = program.start_get(origin.url("/data.bin"))
    origin.log(arrived=5)
    origin.open_gate("go")
    result = finish(process)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()


def ranges(program):
    """Returns the ranges on disk, each as the start, the written end and the synced end."""
    path = program.data / "work" / "1" / "ranges"
    if not path.exists() or not (path.parent / "spread").exists():
        return []
    try:
        return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]
    except FileNotFoundError:
        return []  # The download has just ended.


def kept_bytes(program):
    """Returns the number of different bytes on disk."""
    found = ranges(program)
    if not found:
        return registry.snapshot(program.library).partial
    kept, end = 0, 0
    for start, written, _ in sorted(found):
        kept += max(0, written - max(start, end))
        end = max(end, written)
    return kept


def start_spread(program, origin, file, least=3, size=0):
    """Starts a download that does not end, and returns when several connections have written."""
    origin.serve({"/data.bin": held(file, gate="end", gateAfter=2_000_000)})
    process = program.start_get(origin.url("/data.bin"))
    wait_until(lambda: len(ranges(program)) >= least,
               program.root, f"there are no {least} ranges", process=process)
    origin.open_gate("go")
    wait_until(lambda: kept_bytes(program) >= size,
               program.root, f"fewer than {size} bytes are on disk", process=process)
    return process


def stop_and_kill(process, origin, after=0):
    """Kills a program and returns its requests with the number of bytes that were not yet read."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    # The server continues, so the log is read before the number of bytes on the way.
    log = [entry for entry in origin.log() if entry["connection"] > after]
    unread = unread_bytes(origin.port)
    kill(process)
    return log, unread


def test_o24_a_kill_loses_at_most_half_a_mebibyte_per_connection(program, origin, file):
    process = start_spread(program, origin, file, least=MAXIMUM, size=5_000_000)
    log, unread = stop_and_kill(process, origin)
    kept = kept_bytes(program)
    assert kept >= fetched(log) - unread - loss(log)
    origin.open_gate("end")
    begun = origin.newest_connection()
    origin.serve({"/data.bin": {"file": str(file)}})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert program.item().get("note") is None
    new = origin.fetched(after=begun)
    assert all(entry["status"] == 206 for entry in new)
    assert fetched(new) <= SIZE - kept + loss(new[1:]), "finished bytes were fetched again"


@pytest.mark.timeout(1800 + KILLS * 60)
def test_o24_a_download_resumes_after_kills_at_random_moments(program, origin, file, rng):
    origin.serve({"/data.bin": slow(file, throttle=500_000)})
    address, kept = origin.url("/data.bin"), 0
    for number in range(KILLS):
        begun = origin.newest_connection()
        # The bytes on disk determine the moment at any speed of the machine.
        wanted = kept + rng.uniform(0, 2) * (SIZE - kept) / (KILLS - number + 1)
        process = program.start_get(address)
        wait_until(lambda: process.poll() is not None or kept_bytes(program) >= wanted,
                   program.root, f"fewer than {wanted} bytes are on disk", process=process)
        process.send_signal(signal.SIGSTOP)
        if process.returncode is not None or os.waitid(
                os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT).si_code == os.CLD_EXITED:
            break
        log, unread = stop_and_kill(process, origin, after=begun)
        log = [entry for entry in log if entry["status"] not in (None, 304)]
        now = kept_bytes(program)
        print(f"kill {number + 1}: {now} bytes, {len(ranges(program))} ranges, {len(log)} requests")
        assert now >= kept, "a kill lost bytes of an earlier run"
        assert now - kept >= fetched(log) - unread - loss(log)
        assert all(entry["status"] == 206 for entry in log) or kept == 0
        kept = now
    origin.serve({"/data.bin": {"file": str(file)}})
    begun = origin.newest_connection()
    result = program.get(address)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    new = origin.fetched(after=begun)
    assert fetched(new) <= SIZE - kept + loss(new[1:])
    assert program.item().get("note") is None


def test_o24_a_reboot_keeps_only_synced_ranges(program, origin, file):
    kill(start_spread(program, origin, file, size=4_000_000))
    origin.open_gate("end")
    spread = program.data / "work" / "1" / "spread"
    with spread.open("r+b") as partial:
        for _, written, synced in ranges(program):
            # After a power cut, the unsynced bytes may have any content.
            partial.seek(synced)
            partial.write(bytes(written - synced))
    with contextlib.closing(sqlite3.connect(program.data / "registry.sqlite")) as connection:
        connection.execute("UPDATE items SET boot_id = 'another boot'")
        connection.commit()
    origin.serve({"/data.bin": {"file": str(file)}})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()


def test_o24_a_file_that_changes_between_two_runs_starts_over(program, origin, file, other):
    kill(start_spread(program, origin, file))
    origin.open_gate("end")
    origin.serve({"/data.bin": {"file": str(other)}})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert "Started over" in result.err
    assert program.media().read_bytes() == other.read_bytes()


def test_o24_a_pause_keeps_the_bytes_of_all_connections(program, origin, file):
    origin.serve({"/data.bin": held(file)})
    server = Server(program)
    number = server.download(origin.url("/data.bin"))["id"]
    wait_until(lambda: len(ranges(program)) >= MAXIMUM, program.root, "there are not four ranges")
    assert program.run("pause", number).code == 0
    kept = kept_bytes(program)
    begun = origin.newest_connection()
    origin.serve({"/data.bin": {"file": str(file)}})
    assert program.run("resume", number).code == 0
    server.wait_for_items(lambda items: items and items[number]["state"] == "ready")
    assert program.media(server.item(number)).read_bytes() == file.read_bytes()
    new = origin.fetched(after=begun)
    assert fetched(new) <= SIZE - kept + loss(new[1:])
    server.kill()


def test_o24_a_host_has_at_most_four_connections_over_all_downloads(program, origin, file):
    origin.serve({f"/{name}.bin": held(file, rate=1_000_000) for name in "ab"})
    server = Server(program)
    for name in "ab":
        server.download(origin.url(f"/{name}.bin"))
    assert len(origin.log(arrived=MAXIMUM)) == MAXIMUM
    origin.open_gate("go")
    samples = [{}]

    def are_ready(items):
        samples.append({entry["index"]: entry["sent"] for entry in origin.log() if not entry["finished"]})
        # A cancelled connection gets at most two more pieces until the server notices.
        flowing = [index for index, sent in samples[-1].items()
                   if sent - samples[-2].get(index, sent) > 100_000]
        assert len(flowing) <= MAXIMUM, samples[-2:]
        return len(items) == 2 and all(item["state"] == "ready" for item in items.values())

    server.wait_for_items(are_ready)
    server.kill()
