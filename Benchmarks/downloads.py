#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares downloads of `offline` with curl, aria2 and yt-dlp, on the loopback, in one run.

    downloads.py --binary .build/release/offline --json .build/bench/downloads.json [--only WORD]

`offline` and the rival programs run alternately, in changing order. The result is the median of the
ratios of all rounds, so that temporary load affects all programs. `library.py` measures large
libraries.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Offline/Tests/EndToEnd"))

from harness.http2 import HTTP2Origin
from origin import FastOrigin

MIB = 1 << 20
PAIRS = 7
# A slow pair takes long, and the server decides about the duration, not the machine.
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

    def offline(self, folder, *addresses, prefix=()):
        library = folder / "library"
        result = run([*prefix, self.binary, "get", *addresses, "--wait", "--allow-private",
                      "--library", library])
        shutil.rmtree(library)
        return result

    def compare(self, name, ours, rivals, gate, count=PAIRS, rival=None, warm=True):
        """Adds the medians of rounds in which each program ran once, and the median ratios.

        Only the ratio to `rival` has the gate. Without a rival, only the ratio to the best is
        added.
        """
        runs = {"offline": ours, **rivals}
        for work in runs.values() if warm else []:
            work()  # The first run of each warms the caches.
        rounds = []
        for number in range(count):
            order = list(runs) if number % 2 else list(reversed(runs))
            rounds.append({each: runs[each]() for each in order})
        for each in runs:
            self.add(f"{name}: {each}", statistics.median(r[each].wall for r in rounds), "s")
        for each in runs:
            self.add(f"{name}: {each}, processor", statistics.median(r[each].cpu for r in rounds), "s")
        best = min(rivals, key=lambda each: statistics.median(r[each].wall for r in rounds))
        for each in rivals if rival else [best]:
            self.add(f"{name}: offline / {each}", statistics.median(
                r["offline"].wall / r[each].wall for r in rounds), "×",
                gate if each == (rival or best) else None)


class Run:
    """The wall time of a command, and the processor time including children."""

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


def make_stream(folder, segments, rate="4M", width=640):
    """Makes a stream of one-second segments."""
    folder.mkdir()
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
         f"testsrc2=size={width}x{width * 9 // 16}:rate=10:duration={segments}", "-f", "lavfi", "-i",
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

        bench.compare(name, lambda folder=folder: bench.offline(folder, address), {"curl": curl}, 0.9)
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
                  {"aria2c -x 4": rival}, 1.1, SLOW_PAIRS)
    (bench.content / "limited").unlink()


def measure_many(bench, count=10, rate=8_000_000, seconds=8):
    """Compares downloads of several files from one server, and from as many servers.

    The servers limit the rate of each connection.
    """
    make_file(bench.content / "limited", rate * seconds)
    hosts = [FastOrigin(bench.content, f"127.0.0.{number}") for number in range(2, count + 2)]
    target = bench.memory / "aria2"

    def rival(addresses, *options):
        def work():
            result = run(["aria2c", "--quiet", "--no-conf", "--force-sequential", *options, "-d", target,
                          *addresses])
            shutil.rmtree(target)
            return result

        return work

    query = f"limited?rate={rate}&whole"
    for name, addresses in {
            "one server": [bench.origin.url(f"{query}&{number}") for number in range(count)],
            "ten servers": [host.url(query) for host in hosts]}.items():
        bench.compare(
            f"10 files at 8 MB/s of {name}", lambda: bench.offline(bench.memory, *addresses),
            {"aria2c": rival(addresses), "aria2c -j10": rival(addresses, "-j10")}, 1.1, SLOW_PAIRS,
            rival="aria2c", warm=False)
    (bench.content / "limited").unlink()


def yt_dlp(bench, address, count, *options):
    """Returns a run of yt-dlp that fetches a number of segments simultaneously."""
    program = pathlib.Path(sys.executable).parent / "yt-dlp"
    target = bench.memory / "yt-dlp"

    def rival():
        target.mkdir()
        result = run([program, "--ignore-config", "--no-cache-dir", "--quiet", *options, "-N",
                      str(count), "-o", target / "film.mp4", address])
        shutil.rmtree(target)
        return result

    return rival


def stream_of(bench):
    """Returns the folder of a stream of 200 segments, which is made once."""
    folder = bench.content / "stream"
    if not folder.exists():
        make_stream(folder, 200)
    return folder


def measure_stream(bench):
    stream_of(bench)
    address = bench.origin.url("stream/stream.m3u8")
    bench.compare("200 segments", lambda: bench.offline(bench.memory, address),
                  {"yt-dlp -N 4": yt_dlp(bench, address, 4)}, 0.9)


def measure_latency(bench, delay=0.05):
    """Compares streams from a distant server, which answers each request after 50 ms."""
    folder = stream_of(bench)
    lines = (folder / "stream.m3u8").read_text().splitlines()
    distant = [f"{line}?delay={delay}" if line.endswith(".ts") else line for line in lines]
    (folder / "distant.m3u8").write_text("\n".join(distant) + "\n")
    address = bench.origin.url(f"stream/distant.m3u8?delay={delay}")
    rivals = {f"yt-dlp -N {count}": yt_dlp(bench, address, count) for count in (4, 16)}
    bench.compare("200 segments, 50 ms latency", lambda: bench.offline(bench.memory, address), rivals,
                  0.9, SLOW_PAIRS)


def measure_http2(bench, delay=0.05):
    """Compares streams from a distant server with HTTP/2, where yt-dlp uses HTTP/1.1.

    The segments are small, because the server is slow.
    """
    folder = bench.content / "small"
    make_stream(folder, 200, "100k", 160)
    lines = (folder / "stream.m3u8").read_text().splitlines()
    distant = [f"{line}?delay={delay}" if line.endswith(".ts") else line for line in lines]
    (folder / "distant.m3u8").write_text("\n".join(distant) + "\n")
    with HTTP2Origin(folder) as origin:
        address = origin.url(f"/distant.m3u8?delay={delay}")
        rivals = {f"yt-dlp -N {count}": yt_dlp(bench, address, count, "--no-check-certificates")
                  for count in (4, 16)}
        bench.compare("200 segments, HTTP/2, 50 ms latency",
                      lambda: bench.offline(bench.memory, address, prefix=origin.prefix), rivals, 0.9,
                      SLOW_PAIRS)
        versions = {entry["protocol"] for entry in origin.log()}
        if "h2" not in versions:
            sys.exit("error: offline did not use HTTP/2")


@contextlib.contextmanager
def serving(bench):
    """Runs a server, and yields the process and the library folder."""
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


def enqueue(bench, library, *words):
    run([bench.binary, "get", *words, "--allow-private", "--library", library])


def measure_memory(bench):
    """Measures two streams and a file at full speed, and eight streams without and with eight
    files."""
    stream_of(bench)
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
    bench.add("memory, peak with 2 streams and a file", peak / 1024, "MiB", 64)
    for name, files in (("8 streams", 0), ("8 streams and 8 files", 8)):
        addresses = [f"{stream}?{number}" for number in range(8)]
        if files:
            make_file(bench.content / "file", 128 * MIB)
            addresses += [bench.origin.url(f"file?{number}") for number in range(files)]
        with serving(bench) as (server, library):
            run([bench.binary, "settings", "downloads", "16", "--library", library])
            run([bench.binary, "settings", "per-host", "16", "--library", library])
            enqueue(bench, library, *addresses, "--wait")
            peak = status_of(server.pid, "VmHWM")
        bench.add(f"memory, peak with {name}", peak / 1024, "MiB", 64)
    (bench.content / "file").unlink()


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
    before, begin = used(pid), time.monotonic()
    time.sleep(seconds)
    return (used(pid) - before) / (time.monotonic() - begin)


def used(pid):
    """Returns the processor time of a process in seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    measures = {"file": measure_file, "connections": measure_connections, "many": measure_many,
                "stream": measure_stream, "latency": measure_latency, "http2": measure_http2,
                "memory": measure_memory, "slow": measure_slow}
    parser.add_argument("--only", choices=list(measures))
    arguments = parser.parse_args()
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
