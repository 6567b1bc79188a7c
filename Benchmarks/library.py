#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a large library: its start, its list, its changes, an import, and many page clients.

    library.py --binary .build/release/offline --json .build/bench/library.json [--only WORD]

The folders are in memory, so that the program and not the disk is measured.
"""

import argparse
import contextlib
import http.client
import json
import pathlib
import resource
import shutil
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from downloads import Benchmark, run, status_of

LARGE, SMALL = 100_000, 100
IMPORTED = 20_000
CLIENTS = 1_000
REPETITIONS = 30


def fill(binary, library, count):
    """Makes a library of ready items, as finished downloads leave them, and one paused item."""
    run([binary, "refresh", "--library", library])
    registry, = library.rglob("registry.sqlite")
    with contextlib.closing(sqlite3.connect(registry)) as connection, connection:
        connection.executemany(
            """INSERT INTO items (source, quality, allows_private, title, kind, state, file_name, size,
               media_type, created_at, ready_at)
               VALUES (?, 'best', 0, ?, 'file', ?, ?, 5, 'text/plain', 1700000000, 1700000001)""",
            [(f"https://media{n % 97}.example/film/{n}.txt", f"Film {n}",
              "paused" if n == count else "ready", f"file {n}.txt" if n < count else None)
             for n in range(1, count + 1)])


class Server:
    """A running server, its address, and the time until it printed that."""

    def __init__(self, binary, library):
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [binary, "serve", "--port", "0", "--no-browser", "--library", library],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.start = time.monotonic() - begin
        self.port = address.port
        self.headers = {"Authorization": "Bearer " + urllib.parse.parse_qs(address.query)["token"][0]}
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def call(self, method, path, value=None):
        """Returns the response and its duration in milliseconds."""
        begin = time.monotonic()
        headers = {**self.headers, "Content-Type": "application/json"}
        self.connection.request(method, path, value and json.dumps(value), headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise SystemExit(f"error: {method} {path}: {response.status} {content}")
        return json.loads(content), (time.monotonic() - begin) * 1000

    def events(self):
        """Returns a connection that receives events."""
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                       f"Authorization: {self.headers['Authorization']}\r\n\r\n".encode())
        return client


def receive(client, text):
    """Returns after a client has received a text."""
    received = b""
    while text not in received:
        piece = client.recv(1 << 20)
        if not piece:
            raise SystemExit("error: the events ended")
        received = received[-len(text):] + piece


def delays_of_changes(server, number):
    """Returns the milliseconds from each request for a change to its event."""
    delays = []
    with contextlib.closing(server.events()) as client:
        receive(client, b"event: catalog")
        for turn in range(REPETITIONS):
            title = f"Title {turn} of a change"
            begin = time.monotonic()
            server.connection.request(
                "POST", f"/api/items/{number}/rename", json.dumps({"title": title}),
                {**server.headers, "Content-Type": "application/json"})
            receive(client, title.encode())
            delays.append((time.monotonic() - begin) * 1000)
            server.connection.getresponse().read()
    return delays


def measure_list(bench):
    changes = {}
    for count in (SMALL, LARGE):
        library = bench.memory / f"list-{count}"
        fill(bench.binary, library, count)
        with Server(bench.binary, library):
            pass  # The first start indexes the rows that this script has inserted.
        with Server(bench.binary, library) as server:
            pages = [server.call("GET", f"/api/items?count=200&after={after}")[1]
                     for after in (count + 1, count // 2) for _ in range(REPETITIONS)]
            changes[count] = statistics.median(delays_of_changes(server, count))
            start = server.start
        shutil.rmtree(library)
    bench.add("100,000 items: start", start, "s", 1)
    bench.add("100,000 items: page of the list", statistics.median(pages), "ms", 50)
    bench.add("100,000 items: request to event of a change", changes[LARGE], "ms", 10)
    bench.add("change with 100,000 items / with 100", changes[LARGE] / changes[SMALL], "×", 1.5)


def measure_import(bench):
    seconds = []
    for count in (IMPORTED // 2, IMPORTED):
        library = bench.memory / f"import-{count}"
        library.mkdir()
        for number in range(count):
            (library / f"Lesson {number}.txt").write_text(f"Lesson {number}\n")
        seconds.append(run([bench.binary, "refresh", "--import", "--library", library]).wall)
        shutil.rmtree(library)
    bench.add("import of 20,000 files", seconds[1], "s", 60)
    # Twice the files may take somewhat more than twice the time on a busy machine.
    bench.add("import of 20,000 files / of 10,000", seconds[1] / seconds[0], "×", 2.4)


def measure_clients(bench):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * CLIENTS)), hard))
    library = bench.memory / "clients"
    fill(bench.binary, library, SMALL)
    with Server(bench.binary, library) as server:
        clients = [server.events() for _ in range(CLIENTS)]
        for client in clients:
            receive(client, b"event: catalog")
        delays_of_changes(server, SMALL)
        for client in clients:
            receive(client, f"Title {REPETITIONS - 1} of".encode())
        peak = status_of(server.process.pid, "VmHWM")
        for client in clients:
            client.close()
    shutil.rmtree(library)
    bench.add("memory, 1,000 page clients", peak / 1024, "MiB", 64)


def main():
    measures = {"list": measure_list, "import": measure_import, "clients": measure_clients}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=list(measures))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="offline-bench-") as memory:
        memory = pathlib.Path(memory)
        bench = Benchmark(arguments.binary.resolve(), memory, memory)
        for name, measure in measures.items():
            if arguments.only in (None, name):
                measure(bench)
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(bench.rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
