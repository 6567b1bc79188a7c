#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the bridge with a C program that does the same over the same server, in one run.

    bridge.py --binary .build/benchmarks/release/BridgeBenchmarks --json .build/bench/bridge.json

The server is on loopback with file storage. Each ratio is the median over pairs that run one after
another. With `TIDINGS_BENCHMARK_PAIRS=1`, the script quickly checks that each row runs.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

PAIRS = int(os.environ.get("TIDINGS_BENCHMARK_PAIRS", "3"))
IS_SHORT = PAIRS == 1
COUNT = 5_000 if IS_SHORT else 100_000
WINDOW, BATCH = 1_024, 512
BASELINE = pathlib.Path(__file__).parent / "NATSBaseline/baseline.c"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.settings = folder / "server.conf"
        self.settings.write_text(
            f'listen: 127.0.0.1:{self.port}\njetstream {{ store_dir: "{folder}/store", max_file_store: 4G }}\n')
        self.program = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        if self.program is None:
            sys.exit("error: nats-server is missing; run make deps-test")
        self.start()

    @property
    def address(self):
        return f"nats://127.0.0.1:{self.port}"

    def start(self):
        """Starts the server and returns when the server is ready."""
        self.process = subprocess.Popen([self.program, "-c", self.settings], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "Server is ready" in line:
                break
        else:
            sys.exit("error: nats-server did not start")
        # The process empties the pipe, which must not become full.
        subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Programs:
    def __init__(self, server, binary, folder):
        self.server, self.binary, self.folder = server, binary, folder
        self.baseline = folder / "baseline"
        flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", "libnats"], text=True).split()
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", self.baseline, BASELINE, *flags, "-lsqlite3"],
                       check=True)

    def command(self, program, mode, space, count, *rest):
        return [program, mode, self.server.address, space, str(count), *map(str, rest)]

    def run(self, program, mode, space, count, *rest):
        done = subprocess.run(self.command(program, mode, space, count, *rest), check=True, capture_output=True,
                              text=True, timeout=600, env={**os.environ, "TMPDIR": str(self.folder)})
        return [float(word) for word in done.stdout.split()]

    def ours(self, mode, space, count, *rest):
        return self.run(self.binary, mode, space, count, *rest)

    def theirs(self, mode, space, count, *rest):
        return self.run(self.baseline, mode, space, count, *rest)[0]


def new_space():
    return "s" + uuid.uuid4().hex[:12]


class Rows:
    def __init__(self):
        self.rows = []

    def add(self, name, value, unit, gate=None, bound=None):
        """Adds a value, with a gate of "<=" or ">=" and a bound."""
        passed = None if gate is None else value <= bound if gate == "<=" else value >= bound
        text = None if gate is None else f"{gate} {bound}"
        self.rows.append({"name": name, "value": round(value, 4), "unit": unit, "gate": text, "pass": passed})
        print(f"{name}: {value:.4g} {unit}" + ("" if passed is None else f" ({'ok' if passed else 'MISSED'} {text})"),
              file=sys.stderr, flush=True)

    def compare(self, name, mine, other, units, bound):
        """Adds the medians of two lists of seconds as rates, and the median of the ratios."""
        self.add(name, units / statistics.median(mine), "1/s")
        self.add(f"{name}, in C", units / statistics.median(other), "1/s")
        self.add(f"{name} / in C", statistics.median(b / a for a, b in zip(mine, other)), "x", ">=", bound)


def measure_drain(rows, programs):
    mine, other = [], []
    for _ in range(PAIRS):
        mine += programs.ours("drain", new_space(), COUNT)
        file = programs.folder / f"{new_space()}.sqlite"
        other.append(programs.theirs("drain", new_space(), COUNT, WINDOW, file))
        file.unlink()
    rows.compare("durable posts drained and acknowledged", mine, other, COUNT, 0.9)
    memory = programs.theirs("publish", new_space(), COUNT, WINDOW)
    rows.add("the same in C without an outbox", COUNT / memory, "1/s")
    for keys in (1, 100, 10_000):
        count = COUNT // 10
        [seconds] = programs.ours("drain", new_space(), count, keys)
        rows.add(f"durable posts drained, {keys} keys", count / seconds, "1/s")


def measure_reading(rows, programs):
    space = new_space()
    programs.theirs("fill", space, COUNT)
    mine, other = [], []
    for _ in range(PAIRS):
        mine += programs.ours("read", space, COUNT, BATCH // 2)
        other.append(programs.theirs("read", space, COUNT, BATCH))
    rows.compare("frames read from a cursor", mine, other, COUNT, 0.9)
    space, count = new_space(), COUNT // 4
    programs.ours("drain", space, count)
    [seconds] = programs.ours("handle", space, count)
    rows.add("messages read, handled and settled", count / seconds, "1/s")


def measure_posts(rows, programs):
    [micros] = programs.ours("transient", new_space(), COUNT // 2)
    rows.add("post of a transient message, on the poster's thread", micros, "us", "<=", 3)
    [alone] = programs.ours("durable", new_space(), COUNT // 4, 1)
    rows.add("durable post at .process, one thread", alone, "us")
    [shared] = programs.ours("durable", new_space(), COUNT // 2, 32)
    rows.add("durable post at .process, 32 threads", shared, "us", "<=", 12)


def measure_latency(rows, programs):
    mine, other = [], []
    for _ in range(PAIRS):
        mine += programs.ours("latency", new_space(), COUNT // 50)
        other.append(programs.theirs("latency", new_space(), COUNT // 50))
    rows.add("from a durable post to its handler, median", statistics.median(mine), "us")
    rows.add("the same with raw frames in C", statistics.median(other), "us")
    rows.add("durable post to handler / raw frames", statistics.median(a / b for a, b in zip(mine, other)), "x", "<=", 1.3)


def measure_resume(rows, programs):
    rounds = 1 if IS_SHORT else 5
    process = subprocess.Popen(programs.command(programs.binary, "resume", new_space(), rounds), text=True,
                               stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(programs.folder)})
    expect = lambda word: process.stdout.readline().strip() == word or sys.exit(f"error: {word} is missing")
    expect("ready")
    times = []
    for _ in range(rounds):
        programs.server.kill()
        expect("posted")
        # This time is long enough for the pauses between attempts to reach their limit.
        time.sleep(4)
        programs.server.start()
        begin = time.monotonic()
        expect("arrived")
        times.append(time.monotonic() - begin)
    process.wait(timeout=60)
    rows.add("server ready to first message handled, largest", max(times), "s", "<=", 1)


def measure_memory(rows, programs):
    count = COUNT if IS_SHORT else 200_000
    first, second = programs.ours("memory", new_space(), count)
    rows.add(f"memory after {count // 4} messages", first / 1024, "MiB")
    rows.add(f"memory after {count} messages", second / 1024, "MiB")
    rows.add("memory, growth between them", (second - first) / 1024, "MiB", "<=", 8)


def measure_processes(rows, programs):
    """Prints a table without a gate, for several processes that drain into separate spaces."""
    count = COUNT // 4
    for processes in (1, 2, 4):
        children = [
            subprocess.Popen(programs.command(programs.binary, "drain", new_space(), count), text=True,
                             stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(programs.folder)})
            for _ in range(processes)]
        seconds = [float(child.communicate(timeout=600)[0]) for child in children]
        rows.add(f"durable posts drained by {processes} processes together", processes * count / max(seconds), "1/s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--json", required=True, type=pathlib.Path)
    parser.add_argument("--only", help="measure the parts whose name contains this text")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parts = [measure_drain, measure_reading, measure_posts, measure_latency, measure_resume, measure_memory,
             measure_processes]
    rows = Rows()
    with tempfile.TemporaryDirectory(prefix="tidings-bridge-bench-") as name:
        folder = pathlib.Path(name)
        server = Server(folder)
        try:
            programs = Programs(server, arguments.binary.resolve(), folder)
            for part in parts:
                if re.search(arguments.only or "", part.__name__):
                    part(rows, programs)
        finally:
            server.kill()
    arguments.json.write_text(json.dumps(rows.rows, indent=1) + "\n")


main()
