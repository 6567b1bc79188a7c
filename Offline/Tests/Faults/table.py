#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table of faults of servers: what `offline` and other programs make of each.

    whole     exit 0, with the right content
    failed    another exit status: the program reports the fault
    named     exit 0 with another content, and a message about it
    WRONG     exit 0 with another content, and not a word
    crashed   ended by a signal
    endless   still running after the time limit

Exits with 1 if `offline` is wrong, crashes or does not end.

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
from stream_cases import make_streams, stream_cases
from tools import tools
from harness import media
from harness.origin import OriginProcess

LIMIT = 90
BAD = {"WRONG", "crashed", "endless"}


def start(tool, address, folder):
    # With a home of its own: neither settings nor proxies of the person who runs this.
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    return subprocess.Popen(
        tool.arguments(address, folder), cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill(process):
    try:
        # With its children, as a lost machine would end them.
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


def arrives(process, origin, gate):
    """Waits until a request is at the gate; returns false if the program ends before."""
    while not origin.control("GET", f"gates/{gate}?waiting=0")["waiting"]:
        try:
            process.wait(0.1)
            return False
        except subprocess.TimeoutExpired:
            pass
    return True


def outcome(case, tool, origins):
    """Returns what a program makes of a case."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        origin = origins.another()
        try:
            origin.serve(case.routes)
            process = start(tool, origin.url(case.path), folder)
            if case.killed_at:
                if not arrives(process, origin, case.killed_at):
                    return "failed"
                kill(process)
                origin.serve(case.later)
                origin.open_gate(case.killed_at)
                process = start(tool, origin.url(case.path), folder)
            try:
                output, errors = process.communicate(timeout=LIMIT)
            except subprocess.TimeoutExpired:
                kill(process)
                return "endless"
            if process.returncode < 0:
                return "crashed"
            if process.returncode > 0:
                return "failed"
            if case.is_right(tool.result(folder, output)):
                return "whole"
            return "named" if tool.messages(output, errors) else "WRONG"
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
        cases = file_cases(*files) + stream_cases(make_streams(folder))
        cases = [case for case in cases if words in case.name]
        assert cases, f"no case has {words!r} in its name"
        origins = OriginProcess()
        width = max(len(case.name) for case in cases) + 2
        print("".ljust(width) + "".join(tool.name.ljust(12) for tool in found))
        bad = []
        for case, row in rows(cases, found, origins):
            print(case.name.ljust(width) + "".join(text.ljust(12) for text in row), flush=True)
            if row[0] in BAD:
                bad.append(case.name)
        origins.close()
    print(f"{len(cases)} faults; offline is wrong in {len(bad)}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
