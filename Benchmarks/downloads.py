#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares downloads of `offline` with curl, aria2 and yt-dlp, on the loopback, in one run.

    downloads.py --binary .build/release/offline --json .build/bench/downloads.json [--only WORD]

`offline` and its rival run alternately, in changing order; the result is the median of the pairs'
ratios, so that temporary load on the machine affects both.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from origin import FastOrigin

MIB = 1 << 20
PAIRS = 7
# A slow pair takes long, and its server, not the machine, decides about its duration.
SLOW_PAIRS = 3


class Benchmark:
    """The programs, the folders and the results."""

    def __init__(self, binary, memory, disk):
        self.binary, self.memory, self.disk = binary, memory, disk
        self.content = memory / "content"
        self.content.mkdir()
        self.origin = FastOrigin(self.content)
        self.rows = []

    def add(self, name, value, unit, gate=None):
        holds = None if gate is None else value <= gate
        self.rows.append({"name": name, "value": round(value, 4), "unit": unit,
                          "gate": None if gate is None else f"<= {gate}", "pass": holds})
        print(f"{name}: {value:.4g} {unit}", file=sys.stderr)

    def offline(self, folder, address):
        library = folder / "library"
        command = [self.binary, "get", address, "--wait", "--allow-private", "--library", library]
        result = run(command)
        shutil.rmtree(library)
        return result

    def compare(self, name, ours, theirs, rival, gate, count=PAIRS):
        """Adds the medians and the median ratio of pairs that ran one after another."""
        ours(), theirs()  # The first run of each warms the caches.
        pairs = []
        for number in range(count):
            if number % 2:
                second, first = theirs(), ours()
            else:
                first, second = ours(), theirs()
            pairs.append((first, second))
        self.add(f"{name}: offline", statistics.median(a.wall for a, _ in pairs), "s")
        self.add(f"{name}: {rival}", statistics.median(b.wall for _, b in pairs), "s")
        self.add(f"{name}: offline, processor", statistics.median(a.cpu for a, _ in pairs), "s")
        self.add(f"{name}: {rival}, processor", statistics.median(b.cpu for _, b in pairs), "s")
        self.add(f"{name}: offline / {rival}", statistics.median(
            a.wall / b.wall for a, b in pairs), "×", gate)


class Run:
    """The wall time of a command, and the processor time of it and its children."""

    def __init__(self, wall, cpu):
        self.wall, self.cpu = wall, cpu


def run(command):
    environment = {name: value for name, value in os.environ.items()
                   if not name.lower().endswith("_proxy")}
    before, begin = os.times(), time.monotonic()
    done = subprocess.run([str(word) for word in command], env=environment, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)
    wall, after = time.monotonic() - begin, os.times()
    if done.returncode != 0:
        sys.exit(f"error: {command}\n{done.stderr.decode(errors='replace')}")
    return Run(wall, after.children_user + after.children_system
               - before.children_user - before.children_system)


def make_file(path, size):
    """Writes bytes of no known media type, so that only the transfer is measured."""
    block = os.urandom(16 * MIB)
    with open(path, "wb") as file:
        for start in range(0, size, len(block)):
            file.write(block[:size - start])


def make_stream(folder, segments, rate="4M"):
    """Makes a stream of one-second segments."""
    folder.mkdir()
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
         f"testsrc2=size=640x360:rate=10:duration={segments}", "-f", "lavfi", "-i",
         f"sine=duration={segments}", "-vf", "noise=alls=20:allf=t", "-c:v", "libx264", "-preset",
         "ultrafast", "-b:v", rate, "-g", "10", "-sc_threshold", "0", "-c:a", "aac", "-f", "hls",
         "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_filename", "part%d.ts",
         "stream.m3u8"], cwd=folder, check=True)
    made = len(list(folder.glob("*.ts")))
    if made != segments:
        sys.exit(f"error: ffmpeg made {made} segments instead of {segments}")


def measure_file(bench):
    make_file(bench.content / "file", 1024 * MIB)
    address = bench.origin.url("file")
    for name, folder in [("1 GiB on tmpfs", bench.memory), ("1 GiB on disk", bench.disk)]:
        target = folder / "curl"
        command = ["curl", "--silent", "--fail", "-o", target, address]
        if folder is bench.disk:
            command = ["sh", "-c", '"$@" && sync "$0"', target, *command]

        def curl(command=command, target=target):
            result = run(command)
            target.unlink()
            return result

        bench.compare(name, lambda folder=folder: bench.offline(folder, address), curl, "curl", 0.9)
    (bench.content / "file").unlink()


def measure_connections(bench, rate=2_000_000, delay=0.05):
    """Compares downloads from a distant server that limits the rate of each connection."""
    make_file(bench.content / "limited", 64 * MIB)
    address = bench.origin.url(f"limited?rate={rate}&delay={delay}")
    target = bench.memory / "aria2"

    def rival():
        result = run(["aria2c", "--quiet", "--no-conf", "-x", "4", "-s", "4", "-k", "1M", "-d", target,
                      "-o", "limited", address])
        shutil.rmtree(target)
        return result

    bench.compare("64 MiB at 2 MB/s a connection", lambda: bench.offline(bench.memory, address),
                  rival, "aria2c -x 4", 1.1, SLOW_PAIRS)
    (bench.content / "limited").unlink()


def measure_stream(bench):
    make_stream(bench.content / "stream", 200)
    address = bench.origin.url("stream/stream.m3u8")
    yt_dlp = pathlib.Path(sys.executable).parent / "yt-dlp"
    target = bench.memory / "yt-dlp"

    def rival():
        target.mkdir()
        result = run([yt_dlp, "--ignore-config", "--no-cache-dir", "--quiet", "-N", "4", "-o",
                      target / "film.mp4", address])
        shutil.rmtree(target)
        return result

    bench.compare("200 segments", lambda: bench.offline(bench.memory, address), rival,
                  "yt-dlp -N 4", 0.9)


@contextlib.contextmanager
def serving(bench):
    """Runs a server; yields its process and its library folder."""
    library = bench.memory / "library"
    server = subprocess.Popen(
        [bench.binary, "serve", "--port", "0", "--no-browser", "--library", library],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        if not server.stdout.readline().startswith("http://"):
            sys.exit("error: offline serve printed no address")
        yield server, library
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(library)


def enqueue(bench, library, address, *options):
    run([bench.binary, "get", address, "--allow-private", "--library", library, *options])


def measure_memory(bench):
    """Measures two streams of four concurrent segments and a file at full speed: nine transfers."""
    if not (bench.content / "stream").exists():
        make_stream(bench.content / "stream", 200)
    make_file(bench.content / "file", 1024 * MIB)
    with serving(bench) as (server, library):
        idle = status_of(server.pid, "VmRSS")
        stream = bench.origin.url("stream/stream.m3u8")
        for number in range(2):
            enqueue(bench, library, f"{stream}?{number}")
        enqueue(bench, library, bench.origin.url("file"))
        for number in range(2):
            enqueue(bench, library, f"{stream}?{number}", "--wait")
        enqueue(bench, library, bench.origin.url("file"), "--wait")
        peak = status_of(server.pid, "VmHWM")
    (bench.content / "file").unlink()
    bench.add("memory, idle server", idle / 1024, "MiB")
    bench.add("memory, peak with 9 transfers", peak / 1024, "MiB", 64)


def measure_slow(bench, rate=8_000_000, seconds=10):
    """Measures the processor use of a throttled download."""
    make_file(bench.content / "slow", rate * (seconds + 4))
    with serving(bench) as (server, library):
        idle = share(server.pid, 3)
        enqueue(bench, library, bench.origin.url(f"slow?rate={rate}&whole"))
        time.sleep(1)  # Excludes the start of the download.
        busy = share(server.pid, seconds)
    (bench.content / "slow").unlink()
    bench.add("processor, idle server", idle * 100, "%", 2)
    bench.add("processor, 8 MB/s", busy * 100, "%", 2)


def share(pid, seconds):
    """Returns the fraction of one core that a process uses."""
    def used():
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before, begin = used(), time.monotonic()
    time.sleep(seconds)
    return (used() - before) / (time.monotonic() - begin)


def status_of(pid, field):
    """Returns a field of /proc/PID/status in kilobytes."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise KeyError(field)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=["file", "connections", "stream", "memory", "slow"])
    arguments = parser.parse_args()
    measures = {"file": measure_file, "connections": measure_connections, "stream": measure_stream,
                "memory": measure_memory, "slow": measure_slow}
    build = arguments.binary.resolve().parents[2]
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="offline-bench-") as memory, \
            tempfile.TemporaryDirectory(dir=build, prefix="bench-") as disk:
        bench = Benchmark(arguments.binary.resolve(), pathlib.Path(memory), pathlib.Path(disk))
        for name, measure in measures.items():
            if arguments.only in (None, name):
                measure(bench)
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(bench.rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
