# SPDX-License-Identifier: Apache-2.0
"""Streams and files over HTTP/2: one connection, faults of streams, and resume."""

import shutil

import pytest

from harness.http2 import HTTP2Origin
from harness.media import make_bytes
from harness.program import finish


@pytest.fixture
def folder(tmp_path, samples):
    shutil.copytree(samples.stream, tmp_path / "served")
    return tmp_path / "served"


def start_get(program, server, path):
    return program.start("get", server.url(path), "--wait", "--allow-private", prefix=server.prefix)


def get(program, server, path):
    return finish(start_get(program, server, path))


def change_segments(folder, changes):
    """Adds queries to segments by number."""
    lines = (folder / "stream.m3u8").read_text().splitlines()
    for number, query in changes.items():
        lines[lines.index(f"part{number}.ts")] += query
    (folder / "stream.m3u8").write_text("\n".join(lines) + "\n")


def test_the_segments_of_a_stream_share_one_connection(program, folder):
    change_segments(folder, {number: "?gate=rest" for number in range(8, 48)})
    with HTTP2Origin(folder) as server:
        process = start_get(program, server, "/stream.m3u8")
        server.wait_at_gate("rest", 8)
        server.open_gate("rest")
        result = finish(process)
        assert result.code == 0, result.err
        log = server.log()
    assert len(log) == 49
    assert {entry["protocol"] for entry in log} == {"h2"}
    assert len({entry["connection"] for entry in log}) == 1
    # The number is at least twice the initial four, and at most sixteen.
    assert 8 <= max(entry["others"] for entry in log) + 1 <= 16


FAULTS = ["reset", "clean", "refuse", "goaway", "close", "short", "reset&nolength", "clean&nolength",
          "goaway&nolength", "close&nolength", "short&nolength"]


@pytest.mark.parametrize("fault", FAULTS)
def test_o6_a_faulty_segment_is_fetched_again_and_never_half_kept(program, folder, fault):
    change_segments(folder, {7: f"?fault={fault}&at=3000"})
    with HTTP2Origin(folder) as server:
        result = get(program, server, "/stream.m3u8")
        assert result.code == 0, result.err
        again = [entry for entry in server.log() if entry["path"].startswith("/part7.ts")]
    assert len(again) >= 2
    assert program.item().get("note") is None
    whole = sum(path.stat().st_size for path in folder.glob("part*.ts"))
    assert program.media().stat().st_size > whole * 0.8


def test_o5_a_file_resumes_with_a_range_after_a_cut_connection(program, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    content = make_bytes(folder / "data.bin", 3_000_000, seed=5).read_bytes()
    with HTTP2Origin(folder) as server:
        # The connection ends in the middle, and the retry continues.
        result = get(program, server, "/data.bin?fault=close&at=2000000")
        assert result.code == 0, result.err
        assert program.media().read_bytes() == content
        log = server.log()
    assert [entry["range"] is None for entry in log] == [True, False]
    assert int(log[1]["range"].removeprefix("bytes=").rstrip("-")) >= 1_000_000


def test_a_strange_certificate_is_refused(program, folder):
    with HTTP2Origin(folder) as server:
        result = program.get(server.url("/stream.m3u8"))
    assert result.code == 1
    assert "No secure connection" in result.err
    assert server.process.returncode == 0
