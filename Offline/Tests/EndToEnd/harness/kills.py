# SPDX-License-Identifier: Apache-2.0
"""A download that is killed and resumed, and the checks after each kill."""

import dataclasses
import os
import random
import subprocess

from harness import media, registry
from harness.program import kill
from harness.waiting import wait_until

# The number of received bytes that a kill may lose.
ALLOWED_LOSS = 512 * 1024
# The limit of each download here, which makes its duration known and its loss small.
PARALLEL_SEGMENTS = 4
# The number of segments that a download without a limit fetches at once at most.
MOST_SEGMENTS = 16


def limit_segments(program):
    """Limits the segments that are fetched at once, of which a kill loses each."""
    result = program.run("settings", "per-host", str(PARALLEL_SEGMENTS))
    assert result.code == 0, result.err


def make_seed():
    """Returns the seed of this run; OFFLINE_SEED=… repeats one."""
    return int(os.environ.get("OFFLINE_SEED") or random.SystemRandom().randrange(1 << 32))


@dataclasses.dataclass
class Subject:
    """An address of a slow download, and the check of its finished file."""
    name: str
    path: str
    routes: dict
    slow_routes: dict
    size: int
    # The minimum duration of a slow download, which its origin throttles.
    slow_seconds: float
    check: callable


def file_subject(source, rate=2_500_000):
    wanted = source.read_bytes()

    def check(path):
        assert path.read_bytes() == wanted

    return Subject("file", "/data.bin", {"/data.bin": {"file": str(source)}},
                   {"/data.bin": {"file": str(source), "throttle": rate}}, len(wanted),
                   len(wanted) / rate, check)


def stream_subject(folder, hashes, rate=300_000):
    """Returns a stream; `hashes` are those of the frames of an uninterrupted download."""
    names = [path.name for path in folder.glob("part*.ts")]
    whole = {"/s/": {"directory": str(folder)}, **{f"/s/{name}": {} for name in names}}
    whole["/s/stream.m3u8"] = {}
    slow = {f"/s/{name}": {"throttle": rate} for name in names}

    def check(path):
        found = media.frame_hashes(path)
        assert media.picture_count(found) == media.FRAMES
        assert found == hashes

    size = sum((folder / name).stat().st_size for name in names)
    return Subject("stream", "/s/stream.m3u8", whole, slow, size,
                   size / rate / PARALLEL_SEGMENTS, check)


class KilledDownload:
    """`offline get` of one subject, which the test may kill any number of times."""

    def __init__(self, subject, program, origin):
        self.subject, self.program, self.origin = subject, program, origin
        self.address = origin.url(subject.path)
        limit_segments(program)
        # The newest connection before the last run.
        self.begun = 0

    def run_and_kill(self, fraction):
        """Starts a slow download and kills it after a fraction of the remaining time.

        Returns a snapshot of the disk. The time starts when the program has locked the library, so
        that a busy machine does not move the kill before the start of the download.
        """
        before = registry.snapshot(self.program.library)
        self.origin.serve(self.subject.routes)
        self.origin.serve(self.subject.slow_routes)
        self.begun = self.origin.newest_connection()
        process = self.program.start_get(self.address)
        lock = self.program.data / "lock"
        wait_until(lambda: lock.exists() and lock.read_text() == f"{process.pid}\n"
                   or process.poll() is not None, self.program.root, process=process)
        moment = fraction * self.subject.slow_seconds * (1 - self.done_part(before))
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            pass  # The usual case: the program is still running.
        kill(process)
        after = registry.snapshot(self.program.library)
        self.check_requests(before, was_killed=True)
        return after

    def done_part(self, snapshot):
        if self.subject.name == "file":
            return min(1, snapshot.partial / self.subject.size)
        if not snapshot.segments:
            return 0
        return len(snapshot.done) / len(snapshot.segments)

    def finish(self):
        """Finishes the download at full speed and checks the file."""
        before = registry.snapshot(self.program.library)
        self.origin.serve(self.subject.routes)
        self.begun = self.origin.newest_connection()
        result = self.program.get(self.address)
        assert result.code == 0, result.err
        item = self.program.item()
        assert item["state"] == "ready"
        assert result.out.strip() == str(self.program.media(item))
        self.subject.check(self.program.media(item))
        self.check_requests(before)
        assert not list((self.program.data / "work").iterdir())
        assert self.program.files() == [item["fileName"]]

    def check_requests(self, before, was_killed=False):
        """Checks that the last run requested no finished segment, and a file only from its end."""
        new = self.origin.fetched(after=self.begun)
        if self.subject.name == "stream":
            again = [entry["path"] for entry in new
                     if self.origin.url(entry["path"]) in before.done]
            assert not again, f"finished segments were fetched again: {again}"
            return
        if before.state == "ready" or before.file_name or before.partial == 0:
            assert before.state != "ready" or not new
            return
        if not new and (was_killed or before.partial == self.subject.size):
            return
        assert [entry["range"] for entry in new] == [f"bytes={before.partial}-"]

