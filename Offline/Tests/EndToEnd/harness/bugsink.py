# SPDX-License-Identifier: Apache-2.0
"""A real Bugsink on the loopback, with access to its stored events."""

import json
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "Tests" / "Servers" / "bugsink_server.py"


class Bugsink:
    """One server with one project, which ends no later than the test process."""

    def __init__(self, folder):
        self.log = open(folder / "bugsink.log", "w+")
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.dsn = self.read_reply()["dsn"]

    def events(self):
        """Returns the stored events by their identifiers, the oldest first."""
        self.process.stdin.write("events\n")
        self.process.stdin.flush()
        stored = self.read_reply()
        assert len({event["id"] for event in stored}) == len(stored), "an event is stored twice"
        return {event["id"]: event for event in stored}

    def read_reply(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(120)
            self.log.seek(0)
            raise AssertionError(f"Bugsink has ended: {self.log.read()[-4_000:]}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()
        self.log.close()
