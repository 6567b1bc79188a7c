# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at random moments and at each critical checkpoint (O2 and O3)."""

import os
import pathlib
import subprocess

import pytest

from harness import media, registry
from harness.kills import (
    ALLOWED_LOSS, PARALLEL_SEGMENTS, KilledDownload, file_subject, stream_subject)
from harness.program import Program, killpoint_binary
from harness.waiting import wait_for_end, wait_until

KILLS = int(os.environ.get("OFFLINE_KILLS") or 20)


@pytest.fixture(scope="module")
def hashes(samples, origins, tmp_path_factory):
    """The frame hashes of an uninterrupted download."""
    program, origin = Program(tmp_path_factory.mktemp("unbroken")), origins.another()
    origin.serve({"/s/": {"directory": str(samples.stream)}})
    result = program.get(origin.url("/s/stream.m3u8"))
    assert result.code == 0, result.err
    found = media.frame_hashes(program.media())
    assert media.picture_count(found) == media.FRAMES
    return found


@pytest.fixture
def subjects(samples, hashes):
    return [stream_subject(samples.stream, hashes), file_subject(samples.file)]


@pytest.mark.timeout(1800 + KILLS * 60)
def test_o2_a_download_resumes_after_kills_at_random_moments(
        subjects, programs, origins, rng):
    print(f"OFFLINE_KILLS={KILLS}")
    kills = unfinished = round_number = 0
    # A kill after the end of a download proves little.
    while kills < KILLS or unfinished < KILLS * 3 // 4:
        subject = subjects[round_number % len(subjects)]
        round_number += 1
        origin = origins.another()
        download = KilledDownload(subject, programs(f"round{round_number}"), origin)
        for _ in range(rng.choice([1, 1, 2, 3])):
            # A fifth of the kills come near the end, to hit the joining and renaming as well.
            late = kills % 5 == 4
            left = download.run_and_kill(rng.uniform(0.9, 1.3) if late else rng.uniform(0, 1))
            kills += 1
            # Without an item in the registry, the download has not ended either.
            unfinished += left.state != "ready"
            print(f"kill {kills}: {subject.name} {left.state}, {len(left.done)} segments, "
                  f"{left.partial} bytes")
            if left.state == "ready":
                break
        download.finish()
        origin.close()
    print(f"{unfinished} of {kills} kills found the item unfinished")


def test_o2_a_kill_loses_at_most_half_a_mebibyte_of_a_file(samples, program, origin):
    gate = {"file": str(samples.file), "gate": "middle", "gateAfter": 3_000_000}
    origin.serve({"/data.bin": gate})
    process = program.start_get(origin.url("/data.bin"))
    origin.wait_at_gate("middle")
    sent = origin.log()[0]["sent"]
    assert sent == 3_000_000
    partial = program.data / "work" / "1" / "partial"
    wait_until(lambda: partial.exists() and partial.stat().st_size >= sent - ALLOWED_LOSS,
               program.root)
    process.kill()
    process.wait()
    origin.open_gate("middle")
    origin.serve({"/data.bin": {"file": str(samples.file)}})
    kept = partial.stat().st_size
    assert kept >= sent - ALLOWED_LOSS
    assert program.get(origin.url("/data.bin")).code == 0
    assert program.media().read_bytes() == samples.file.read_bytes()
    log = origin.settled_log()
    assert [entry["range"] for entry in log] == [None, f"bytes={kept}-"]
    assert log[1]["sent"] == samples.file.stat().st_size - kept
    assert log[1]["headers"]["If-Range"].startswith('"')


def test_o2_without_a_validator_a_file_starts_over_with_a_note(samples, program, origin):
    route = {"file": str(samples.file), "etag": None}
    origin.serve({"/data.bin": {**route, "gate": "middle", "gateAfter": 2_000_000}})
    process = program.start_get(origin.url("/data.bin"))
    origin.wait_at_gate("middle")
    wait_until(lambda: registry.snapshot(program.library).partial > 0, program.root)
    process.kill()
    process.wait()
    origin.open_gate("middle")
    origin.serve({"/data.bin": route})
    result = program.get(origin.url("/data.bin"))
    assert result.code == 0
    assert "Started over" in result.err
    assert [entry["range"] for entry in origin.settled_log()] == [None, None]
    assert program.media().read_bytes() == samples.file.read_bytes()


POINTS = [
    ("stream", "beforeSegmentRename", 5), ("stream", "afterSegmentRename", 6),
    ("stream", "beforeSegmentCommit", 7), ("stream", "duringMux", 1),
    ("stream", "beforeFinalRename", 1), ("stream", "afterFinalRename", 1),
    ("file", "beforeFinalRename", 1), ("file", "afterFinalRename", 1),
]


@pytest.mark.parametrize("kind,point,count", POINTS, ids=[f"{k}-{p}" for k, p, _ in POINTS])
def test_o2_a_download_resumes_after_a_kill_at_a_checkpoint(kind, point, count, subjects, program, origin):
    subject = next(subject for subject in subjects if subject.name == kind)
    origin.serve(subject.routes)
    download = KilledDownload(subject, program, origin)
    run = subprocess.run(
        [killpoint_binary(), program.library, download.address, point, str(count)],
        env=program.environment, capture_output=True, timeout=120, check=False)
    assert run.returncode == -9, run.stderr.decode()
    left = registry.snapshot(program.library)
    assert left.is_unfinished
    CHECKS[point](program.library, left, count)
    wait_for_end(lambda: processes_in(program.library), "ffmpeg outlives the program")
    download.finish()
    # Only segments in progress are downloaded again.
    fetched = [entry["path"] for entry in origin.fetched() if entry["path"].endswith(".ts")]
    assert len(fetched) - len(set(fetched)) <= PARALLEL_SEGMENTS


def check_segments(library, left, count):
    """Checks that commits before the kill are stored, and returns the files without a commit."""
    assert len(left.done) >= count - PARALLEL_SEGMENTS
    files = {path.name for path in (library / ".offline" / "work" / "1" / "segments").iterdir()}
    recorded = {segment.file for segment in left.segments if segment.size is not None}
    assert recorded <= files
    return files - recorded


def check_before_rename(library, left, count):
    assert any(name.endswith(".part") for name in check_segments(library, left, count))


def check_after_rename(library, left, count):
    assert any(not name.endswith(".part") for name in check_segments(library, left, count))


def check_mux(library, left, _):
    assert left.state == "muxing" and left.done
    assert all(segment.size is not None for segment in left.segments)
    assert not any(library.glob("[!.]*"))


def check_before_final(library, left, _):
    assert left.file_name and not any(library.glob("[!.]*"))


def check_after_final(library, left, _):
    assert [path.name for path in library.glob("[!.]*")] == [left.file_name]


CHECKS = {
    "beforeSegmentRename": check_before_rename, "afterSegmentRename": check_after_rename,
    "beforeSegmentCommit": check_after_rename, "duringMux": check_mux,
    "beforeFinalRename": check_before_final, "afterFinalRename": check_after_final,
}


def processes_in(folder):
    """Returns the numbers of the processes that run in a folder or name the folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes()
            if str(folder).encode() in line or str(folder) in os.readlink(process / "cwd"):
                found.append(int(process.name))
        except OSError:
            continue
    return found
