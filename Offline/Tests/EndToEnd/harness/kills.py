# SPDX-License-Identifier: Apache-2.0
"""A download that is killed and resumed, and the checks after each kill."""

import contextlib
import dataclasses
import os
import pathlib
import subprocess

from harness import media, registry
from harness.program import kill
from harness.waiting import wait_until

# The number of received bytes that a kill may lose.
ALLOWED_LOSS = 512 * 1024
# The limit of each download here, which gives a known duration and a small loss.
PARALLEL_SEGMENTS = 4
# The maximum number of segments that a download without a limit fetches simultaneously.
MOST_SEGMENTS = 16


def limit_segments(program):
    """Limits the number of simultaneous segments, which a kill loses."""
    result = program.run("settings", "per-host", str(PARALLEL_SEGMENTS))
    assert result.code == 0, result.err


def stored_bytes(program):
    """Returns the number of bytes of finished and unfinished downloads on disk."""
    # A running program removes folders during this walk, and `rglob` would fail at such a folder.
    found = [pathlib.Path(folder, name) for folder, _, names in os.walk(program.data / "work")
             for name in names]
    total = 0
    for path in [*found, *program.library.glob("[!.]*")]:
        # The program also renames and removes files during this loop.
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def unread_bytes(port):
    """Returns the number of bytes that a local server has sent and that no client has read yet."""
    total = 0
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state, queues, *_ = line.split()
        sending, unread = (int(each, 16) for each in queues.split(":"))
        # A listener counts connections in these fields.
        if state == "0A":
            continue
        if int(local.split(":")[1], 16) == port:
            total += sending
        if int(remote.split(":")[1], 16) == port:
            total += unread
    return total


def has_lock(program, process):
    """Returns whether a process has opened the library."""
    lock = program.data / "lock"
    return lock.exists() and lock.read_text() == f"{process.pid}\n"


@dataclasses.dataclass
class Subject:
    """An address of a slow download, and the check of the finished file."""
    name: str
    path: str
    routes: dict
    slow_routes: dict
    size: int
    # The minimum duration of a slow download, which the origin throttles.
    slow_seconds: float
    check: callable
    # The sizes of the segments of a stream by path.
    segments: dict = dataclasses.field(default_factory=dict)


def file_subject(source, rate=2_500_000):
    wanted = source.read_bytes()

    def check(path):
        assert path.read_bytes() == wanted

    return Subject("file", "/data.bin", {"/data.bin": {"file": str(source)}},
                   {"/data.bin": {"file": str(source), "throttle": rate}}, len(wanted),
                   len(wanted) / rate, check)


def stream_subject(folder, hashes, rate=300_000):
    """Returns a stream with `hashes` of the frames of an uninterrupted download."""
    names = [path.name for path in folder.glob("part*.ts")]
    whole = {"/s/": {"directory": str(folder)}, **{f"/s/{name}": {} for name in names}}
    whole["/s/stream.m3u8"] = {}
    slow = {f"/s/{name}": {"throttle": rate} for name in names}

    def check(path):
        found = media.frame_hashes(path)
        assert media.picture_count(found) == media.FRAMES
        assert found == hashes

    sizes = {f"/s/{name}": (folder / name).stat().st_size for name in sorted(names)}
    size = sum(sizes.values())
    return Subject("stream", "/s/stream.m3u8", whole, slow, size,
                   size / rate / PARALLEL_SEGMENTS, check, sizes)


class KilledDownload:
    """A run of `offline get` for one subject, which a test may kill any number of times."""

    def __init__(self, subject, program, origin):
        self.subject, self.program, self.origin = subject, program, origin
        self.address = origin.url(subject.path)
        limit_segments(program)
        # The newest connection before the last run.
        self.begun = 0

    def run_and_kill(self, fraction):
        """Starts a slow download and kills it after a fraction of the remaining bytes.

        Returns a snapshot of the disk. The bytes on disk determine the moment, so that the speed of
        the machine does not matter. For a fraction below 1, the origin holds the last bytes back,
        so that the download does not end before the kill. A larger fraction adds a part of the
        duration.
        """
        before = registry.snapshot(self.program.library)
        self.origin.serve(self.subject.routes)
        self.origin.serve(self.subject.slow_routes)
        self.begun = self.origin.newest_connection()
        gate = f"end-{self.begun}"
        kept, left = self.hold_end(before, gate)
        is_held = fraction < 1 and left is not None
        if not is_held:
            self.origin.open_gate(gate)
        wanted = kept + min(1, fraction) * (left or 0)
        process = self.program.start_get(self.address)
        wait_until(lambda: process.poll() is not None or has_lock(self.program, process)
                   and stored_bytes(self.program) >= wanted,
                   self.program.root, f"fewer than {wanted} bytes are on disk", process=process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0, fraction - 1) * self.subject.slow_seconds)
        kill(process)
        self.origin.open_gate(gate)
        after = registry.snapshot(self.program.library)
        assert not is_held or after.state != "ready", "the download ended although its end was held"
        self.check_requests(before, was_killed=True)
        return after

    def hold_end(self, before, gate):
        """Lets the last bytes wait at a gate.

        Returns the number of finished bytes, and the number of further bytes that certainly reach
        the disk before the held bytes. The second number is None if the download lacks no bytes.
        """
        if self.subject.name == "file":
            left = self.subject.size - before.partial
            if before.file_name or left <= 0:
                return before.partial, None
            [(path, route)] = self.subject.slow_routes.items()
            self.origin.serve({path: {**route, "gate": gate, "gateAfter": left - 1}})
            return before.partial, max(0, left - ALLOWED_LOSS)
        sizes = self.subject.segments
        left = [path for path in sizes if self.origin.url(path) not in before.done]
        kept = self.subject.size - sum(sizes[path] for path in left)
        if not left:
            return kept, None
        self.origin.serve({left[-1]: {**self.subject.slow_routes[left[-1]], "gate": gate}})
        return kept, sum(sizes[path] for path in left[:-1])

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
        """Checks that the last run fetched no finished segment and continued a file at its end."""
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

