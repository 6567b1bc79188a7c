#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table of server faults and of the results of `offline` and other programs.

    whole     exit 0, with the right content
    anew      exit 0, with the right content, but a killed download started again at the first byte
    failed    another exit status: the program reports the fault
    named     exit 0 with another content, and a message that names the fault
    WRONG     exit 0 with another content, and no message about the fault
    crashed   ended by a signal
    endless   still running after the time limit

The script exits with 0 only if `offline` is whole wherever a right content exists, and failed or
named elsewhere. A recording with a gap must be right and name the gap. Otherwise, the script exits
with 1.

    table.py [WORDS]    only the cases whose names contain the words
"""

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from file_cases import SIZE, file_cases
from source_cases import source_cases
from stream_cases import make_streams, stream_cases
from tools import tools
from harness import media
from harness.origin import OriginProcess
from harness.waiting import wait_until

LIMIT = 90
# The time for the first attempt to store a part. Some programs keep the whole part in memory.
PART_LIMIT = 20


class Attempts:
    """The attempts of a program at a case, in a folder."""

    def __init__(self, case, tool, origin, folder):
        self.case, self.tool, self.origin, self.folder = case, tool, origin, folder

    def outcome(self):
        """Runs the case and returns the outcome of the program."""
        case = self.case
        self.origin.serve(case.routes_of(self.origin))
        process = self.start()
        # The newest connection of the first attempt.
        killed = None
        if case.killed_at and self.wait_for_part(process):
            kill(process)
            killed = self.origin.newest_connection()
            self.origin.serve(case.later)
            self.origin.open_gate(case.killed_at)
            process = self.start()
        if case.changes_at and self.wait_at_gate(process, case.changes_at):
            self.origin.serve(case.later)
            self.origin.open_gate(case.changes_at)
        try:
            output, errors = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            kill(process)
            return "endless"
        return self.verdict(process.returncode, output, errors, killed)

    def verdict(self, status, output, errors, killed):
        if status < 0:
            return "crashed"
        if status > 0:
            return "failed"
        is_named = self.case.is_named_in(self.tool.messages(output, errors))
        if self.case.is_right(self.tool.result(self.folder, output)):
            if self.case.is_named:
                return "named" if is_named else "WRONG"
            if self.case.killed_at and self.case.resumes and not self.has_resumed(killed):
                return "anew"
            return "whole"
        return "named" if is_named else "WRONG"

    def has_resumed(self, killed):
        """Returns whether the second attempt has fetched only the rest."""
        if killed is None:
            return False
        log = self.origin.log()
        again = [entry for entry in log if entry["connection"] > killed and entry["status"] != 304]
        if self.case.kind == "file":
            return any((entry["range"] or "bytes=0-").partition("-")[0] != "bytes=0"
                       for entry in again)
        before = {entry["path"] for entry in log if entry["connection"] <= killed}
        return bool(before - {entry["path"] for entry in again})

    def start(self):
        # The program has its own home, and so neither settings nor proxies of the user.
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        return subprocess.Popen(
            self.tool.arguments(self.case, self.origin.base, self.folder), cwd=self.folder,
            env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_part(self, process):
        """Waits until the program has stored a part, and returns false if the program ends before.

        The server's count is not enough, because the server sends all of a small file to a program
        that reads only the first bytes.
        """
        if not self.wait_at_gate(process, self.case.killed_at):
            return False
        try:
            wait_until(lambda: process.poll() is not None
                       or self.tool.stored(self.folder) >= self.case.part,
                       self.folder, process=process, seconds=PART_LIMIT)
        except AssertionError:
            pass  # It stores nothing, so that it must begin again.
        return process.poll() is None

    def wait_at_gate(self, process, gate):
        """Waits until a request is at a gate, and returns false if the program ends before."""
        while not self.origin.control("GET", f"gates/{gate}?waiting=0")["waiting"]:
            try:
                process.wait(0.1)
                return False
            except subprocess.TimeoutExpired:
                pass
        return True


def kill(process):
    try:
        # The kill includes the children, as in a crash of the machine.
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


def outcome(case, tool, origins):
    """Returns the outcome of a program for a case."""
    with tempfile.TemporaryDirectory() as name:
        origin = origins.another()
        try:
            return Attempts(case, tool, origin, pathlib.Path(name)).outcome()
        finally:
            origin.close()


def rows(cases, found, origins):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        futures = [[pool.submit(outcome, case, tool, origins) if tool.takes(case) else None
                    for tool in found] for case in cases]
        for case, row in zip(cases, futures):
            yield case, [future.result() if future else "" for future in row]


def main():
    words = " ".join(sys.argv[1:])
    found = tools()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = [media.make_bytes(folder / f"{seed}.bin", SIZE, seed) for seed in (1, 2)]
        streams = make_streams(folder)
        film = media.make_film(folder / "film.mp4")
        cases = [*file_cases(*files), *stream_cases(streams),
                 *source_cases(folder, film, streams["plain"])]
        cases = [case for case in cases if words in case.name]
        assert cases, f"no case has {words!r} in its name"
        origins = OriginProcess()
        width = max(len(case.name) for case in cases) + 2
        print("".ljust(width) + "".join(tool.name.ljust(12) for tool in found))
        bad = []
        for case, row in rows(cases, found, origins):
            print(case.name.ljust(width) + "".join(text.ljust(12) for text in row), flush=True)
            if row[0] not in case.expected:
                bad.append(case.name)
        origins.close()
    print(f"{len(cases)} faults; offline is wrong in {len(bad)}")
    for name in bad:
        print(f"wrong: {name}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
