# SPDX-License-Identifier: Apache-2.0
"""Several connections for one slow file (O24)."""

import contextlib
import os
import random
import sqlite3
import subprocess

import pytest

from harness import registry
from harness.kills import ALLOWED_LOSS, make_seed
from harness.media import make_bytes
from harness.program import kill
from harness.server import Server
from harness.waiting import wait_until

SIZE = 12_000_000
RATE = 1_500_000
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


def fetched(log):
    return sum(entry["sent"] for entry in log)


def loss(log):
    """The bytes that a killed or stopped connection may have sent in vain."""
    return len(log) * ALLOWED_LOSS


def test_o24_a_slow_file_is_fetched_over_four_connections(program, origin, file):
    origin.serve({"/data.bin": slow(file)})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert program.item().get("note") is None
    log = origin.settled_log()
    assert log[0]["range"] is None
    assert 3 <= len(log) - 1
    tag = next(value for name, value in log[1]["headers"].items() if name == "If-Range")
    assert all(entry["status"] == 206 and entry["headers"]["If-Range"] == tag for entry in log[1:])
    assert fetched(log) <= SIZE + loss(log)
    assert not list((program.data / "work").iterdir())


def test_o24_a_fast_or_small_file_has_one_connection(program, origin, file, samples):
    origin.serve({"/fast.bin": {"file": str(file)},
                  "/small.bin": {"file": str(samples.file), "throttle": 4_000_000}})
    for name in ("fast", "small"):
        assert program.get(origin.url(f"/{name}.bin")).code == 0
    assert [entry["range"] for entry in origin.settled_log()] == [None, None]


def test_o24_a_server_that_shares_one_rate_gets_one_connection_again(program, origin, file):
    origin.serve({"/data.bin": slow(file, throttle=4_000_000, shared=True)})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    log = origin.settled_log()
    # One trial, and a request for the bytes after those of the trial.
    assert 2 <= len(log) <= 4
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
    route = slow(file, throttle=4_000_000)
    answer = refusal if "status" in refusal else {**route, **refusal}
    origin.serve({"/data.bin": [route, answer]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert program.item().get("note") is None
    log = origin.settled_log()
    assert [entry["status"] for entry in log[:1]] == [200]
    assert len(log) == 2, "the server was asked again"
    assert log[0]["sent"] == SIZE


def test_o24_a_server_that_refuses_the_rest_is_not_asked_again_and_again(program, origin, file):
    cut = slow(file, cut=3_000_000)
    origin.serve({"/data.bin": [{**cut, "times": 4}, {"status": 403, "text": "expired"}]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 1
    assert program.item()["error"]["code"] == "status"
    assert len(origin.settled_log()) < 12


def test_o24_a_changed_file_starts_over_and_is_never_a_splice(program, origin, file, other):
    old, new = slow(file, etag='"old"'), slow(other, throttle=6_000_000, etag='"new"')
    origin.serve({"/data.bin": [old, {**old, "times": 2}, new]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert "Started over" in result.err
    assert program.media().read_bytes() == other.read_bytes()
    assert "changed" in program.item()["note"]


def test_o24_servers_with_different_versions_start_over_once(program, origin, file):
    one, another = slow(file, throttle=4_000_000, etag='"one"'), slow(file, etag='"another"')
    origin.serve({"/data.bin": [one, another, one, another]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert [entry["range"] is None for entry in origin.settled_log()] == [True, False, True]


def test_o24_cut_connections_are_replaced(program, origin, file):
    route = slow(file)
    origin.serve({"/data.bin": [route, {**route, "cut": 300_000}, {**route, "cut": 500_000, "reset": True},
                                route]})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    log = origin.settled_log()
    assert fetched(log) <= SIZE + loss(log)
    assert len(log) >= 5


def test_o24_a_stalled_connection_is_replaced(program, origin, file):
    route = slow(file)
    origin.serve({"/data.bin": [route, {**route, "gate": "never", "gateAfter": 400_000}, route]})
    result = program.get(origin.url("/data.bin"), timeout=25)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    origin.open_gate("never")


def ranges(program):
    """Returns the ranges on disk: the start, the written and the synced end of each."""
    path = program.data / "work" / "1" / "ranges"
    if not path.exists() or not (path.parent / "spread").exists():
        return []
    return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]


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


def start_spread(program, origin, least=3, size=0):
    """Starts a slow download, and returns when several connections have written."""
    process = program.start_get(origin.url("/data.bin"))
    wait_until(lambda: len(ranges(program)) >= least and kept_bytes(program) >= size,
               program.root, process=process)
    return process


def test_o24_a_kill_loses_at_most_half_a_mebibyte_per_connection(program, origin, file):
    origin.serve({"/data.bin": slow(file)})
    process = start_spread(program, origin, least=MAXIMUM, size=5_000_000)
    kill(process)
    log = origin.settled_log()
    kept = kept_bytes(program)
    assert kept >= fetched(log) - loss(log)
    begun = origin.newest_connection()
    origin.serve({"/data.bin": {"file": str(file)}})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert program.item().get("note") is None
    new = origin.fetched(after=begun)
    assert all(entry["status"] == 206 for entry in new)
    assert fetched(new) <= SIZE - kept, "finished bytes were fetched again"


@pytest.mark.timeout(120 + KILLS * 30)
def test_o24_a_download_resumes_after_kills_at_random_moments(program, origin, file):
    seed = make_seed()
    print(f"OFFLINE_SEED={seed}")
    rng = random.Random(seed)
    origin.serve({"/data.bin": slow(file, throttle=500_000)})
    address, kept = origin.url("/data.bin"), 0
    for number in range(KILLS):
        begun = origin.newest_connection()
        process = program.start_get(address)
        try:
            process.wait(rng.uniform(0.2, 2.5))
            break
        except subprocess.TimeoutExpired:
            kill(process)
        log = origin.fetched(after=begun)
        now = kept_bytes(program)
        print(f"kill {number + 1}: {now} bytes, {len(ranges(program))} ranges, {len(log)} requests")
        assert now >= kept, "a kill lost bytes of an earlier run"
        assert now - kept >= fetched(log) - loss(log)
        assert all(entry["status"] == 206 for entry in log) or kept == 0
        kept = now
    origin.serve({"/data.bin": {"file": str(file)}})
    begun = origin.newest_connection()
    result = program.get(address)
    assert result.code == 0, result.err
    assert program.media().read_bytes() == file.read_bytes()
    assert fetched(origin.fetched(after=begun)) <= SIZE - kept
    assert program.item().get("note") is None


def test_o24_a_reboot_keeps_only_synced_ranges(program, origin, file):
    origin.serve({"/data.bin": slow(file)})
    kill(start_spread(program, origin, size=4_000_000))
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
    origin.serve({"/data.bin": slow(file)})
    kill(start_spread(program, origin))
    origin.serve({"/data.bin": {"file": str(other)}})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0, result.err
    assert "Started over" in result.err
    assert program.media().read_bytes() == other.read_bytes()


def test_o24_a_pause_keeps_the_bytes_of_all_connections(program, origin, file):
    origin.serve({"/data.bin": slow(file)})
    server = Server(program)
    number = server.download(origin.url("/data.bin"))["id"]
    wait_until(lambda: len(ranges(program)) >= MAXIMUM, program.root)
    assert program.run("pause", number).code == 0
    kept = kept_bytes(program)
    begun = origin.newest_connection()
    origin.serve({"/data.bin": {"file": str(file)}})
    assert program.run("resume", number).code == 0
    server.wait_for_items(lambda items: items and items[number]["state"] == "ready")
    assert program.media(server.item(number)).read_bytes() == file.read_bytes()
    assert fetched(origin.fetched(after=begun)) <= SIZE - kept
    server.kill()


def test_o24_a_host_has_at_most_four_connections_over_all_downloads(program, origin, file):
    origin.serve({f"/{name}.bin": slow(file, throttle=1_000_000) for name in "ab"})
    server = Server(program)
    for name in "ab":
        server.download(origin.url(f"/{name}.bin"))
    counts = []

    def are_ready(items):
        counts.append(sum(not entry["finished"] for entry in origin.log()))
        return len(items) == 2 and all(item["state"] == "ready" for item in items.values())

    server.wait_for_items(are_ready)
    assert 2 < max(counts) <= MAXIMUM, counts
    server.kill()
