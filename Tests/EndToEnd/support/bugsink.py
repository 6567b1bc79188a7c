# SPDX-License-Identifier: Apache-2.0
"""A real Bugsink on loopback, which says what it has stored."""

import json
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "Support" / "bugsink_server.py"


class Bugsink:
    """One server with one project; it ends with the test process at the latest."""

    def __init__(self, folder):
        self.log = open(folder / "bugsink.log", "w+")
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.dsn = self.answer()["dsn"]

    def events(self):
        """The events that it has stored, by their identifiers, the oldest first."""
        self.process.stdin.write("events\n")
        self.process.stdin.flush()
        stored = self.answer()
        assert len({event["id"] for event in stored}) == len(stored), "an event is stored twice"
        return {event["id"]: event for event in stored}

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(20)
            self.log.seek(0)
            raise AssertionError(f"Bugsink has ended: {self.log.read()[-4_000:]}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()
        self.log.close()
