#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares notifications of this package with `gdbus call`, on the same dunst, in one run.

    notifications.py --binary .build/benchmarks/release/DesktopPosts --json .build/bench/notifications.json
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

POSTS, CALLS, ADDS, ROUNDS = 500, 50, 1000, 5
NOTIFY = ["gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications",
          "--object-path", "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify",
          "Films", "99", "", "Title", "Body", "[]", "{}", "--", "-1"]


class Desktop:
    def __init__(self):
        script = pathlib.Path(__file__).parent.parent / "Tests/Servers/desktop.py"
        self.process = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        address = self.call({"do": "bus"})["address"]
        self.environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": address}
        self.call({"do": "display"})
        self.call({"do": "daemon", "daemon": "dunst"})

    def call(self, command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit("error: " + answer["error"])
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ours(desktop, binary):
    done = subprocess.run([binary, "post", str(POSTS)], env=desktop.environment, check=True, capture_output=True, text=True)
    return POSTS / float(done.stdout)


def theirs(desktop):
    start = time.monotonic()
    for _ in range(CALLS):
        subprocess.run(NOTIFY, env=desktop.environment, check=True, stdout=subprocess.DEVNULL)
    return CALLS / (time.monotonic() - start)


def median_of_adding(desktop, binary):
    """Returns the median milliseconds of a request while the daemon is stopped."""
    process = subprocess.Popen([binary, "add", str(ADDS)], env=desktop.environment, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    desktop.call({"do": "kill", "what": "daemon", "signal": "STOP"})
    process.stdin.write("\n")
    process.stdin.flush()
    median = float(process.stdout.readline())
    process.wait()
    desktop.call({"do": "kill", "what": "daemon", "signal": "CONT"})
    return median


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--json", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    desktop = Desktop()
    try:
        pairs = [(ours(desktop, arguments.binary), theirs(desktop)) for _ in range(ROUNDS)]
        ratio = statistics.median(mine / other for mine, other in pairs)
        median = median_of_adding(desktop, arguments.binary)
    finally:
        desktop.close()
    rows = [
        ("notifications shown by dunst, one after another", statistics.median(mine for mine, _ in pairs), "1/s", None, None),
        ("the same with gdbus call", statistics.median(other for _, other in pairs), "1/s", None, None),
        ("notifications shown / gdbus call", ratio, "x", ">= 1", ratio >= 1),
        ("request a notification of a stopped dunst, median", median, "ms", "<= 1", median <= 1),
    ]
    arguments.json.write_text(json.dumps(
        [dict(zip(("name", "value", "unit", "gate", "pass"), (name, round(value, 4), *rest))) for name, value, *rest in rows],
        indent=1) + "\n")
    for name, value, unit, *_ in rows:
        print(f"{name}: {value:.4g} {unit}", file=sys.stderr)


main()
