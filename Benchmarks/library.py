#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a large library: its start, its list, changes, downloads and memory, imports, many clients.

    library.py --binary .build/release/offline --json .build/bench/library.json [--only WORD]

The folders are in memory, so that the program and not the disk is measured. A large and a small
library are compared alternately, so that temporary load on the machine affects both.
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

from downloads import Benchmark, make_file, run, status_of, used
from origin import FastOrigin

LARGE, SMALL = 100_000, 100
IMPORTED = 20_000
FILMS = 2_000
CLIENTS = 1_000
# The maximum number of files of a server before raising the limit, which is lower than CLIENTS.
FEW_FILES = 512
REPETITIONS = 30
# The downloads of one turn take enough processor time for the system's clock of 10 ms.
DOWNLOADS, TURNS = 40, 5


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
    """A running server, with the address and the time until the address was printed."""

    def __init__(self, binary, library, prefix=()):
        begin = time.monotonic()
        self.library = library
        self.process = subprocess.Popen(
            [*prefix, binary, "serve", "--port", "0", "--no-browser", "--library", library],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.entry = self.process.stdout.readline().strip()
        address = urllib.parse.urlsplit(self.entry)
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
        """Returns the response and the duration in milliseconds."""
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
        client = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        client.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                       f"Authorization: {self.headers['Authorization']}\r\n\r\n".encode())
        return client


def receive(client, text):
    """Returns after a client has received a string."""
    received = b""
    while text not in received:
        piece = client.recv(1 << 20)
        if not piece:
            raise SystemExit("error: the events ended")
        received = received[-len(text):] + piece


def delay_of_change(server, client, number, title):
    """Returns the milliseconds from a request for a change to the event of the change."""
    begin = time.monotonic()
    server.connection.request(
        "POST", f"/api/items/{number}/rename", json.dumps({"title": title}),
        {**server.headers, "Content-Type": "application/json"})
    receive(client, title.encode())
    delay = (time.monotonic() - begin) * 1000
    server.connection.getresponse().read()
    return delay


@contextlib.contextmanager
def libraries(bench, *counts):
    """Runs a server for a library of each size simultaneously, and yields the servers by size."""
    with contextlib.ExitStack() as stack:
        servers = {}
        for count in counts:
            library = bench.memory / f"list-{count}"
            fill(bench.binary, library, count)
            stack.callback(shutil.rmtree, library)
            with Server(bench.binary, library):
                pass  # The first start indexes the rows that this script has inserted.
            servers[count] = stack.enter_context(Server(bench.binary, library))
        yield servers


def alternating(turns, servers):
    """Yields the number of each turn with a size and a server, in changing order."""
    for turn in range(turns):
        for count in servers if turn % 2 else reversed(servers):
            yield turn, count, servers[count]


def measure_list(bench):
    with libraries(bench, SMALL, LARGE) as servers:
        large = servers[LARGE]
        bench.add("100,000 items: start", large.start, "s", 1)
        pages = {"page of the list": [f"count=200&after={after}" for after in (LARGE + 1, LARGE // 2)],
                 "page with a search": ["q=film"], "page of 1,000 items": ["count=1000"]}
        for name, queries in pages.items():
            times = [large.call("GET", f"/api/items?{query}")[1]
                     for query in queries for _ in range(REPETITIONS)]
            gate = 50 if name == "page of the list" else None
            bench.add(f"100,000 items: {name}", statistics.median(times), "ms", gate)
        delays = {count: [] for count in servers}
        clients = {count: server.events() for count, server in servers.items()}
        for client in clients.values():
            receive(client, b"event: catalog")
        for turn, count, server in alternating(REPETITIONS, servers):
            title = f"Title {turn} of a change"
            delays[count].append(delay_of_change(server, clients[count], count, title))
        for client in clients.values():
            client.close()
        bench.add("100,000 items: request to event of a change",
                  statistics.median(delays[LARGE]), "ms", 10)
        bench.add("change with 100,000 items / with 100", statistics.median(
            large / small for large, small in zip(delays[LARGE], delays[SMALL])), "×", 1.5)
        peak = status_of(large.process.pid, "VmHWM")
    bench.add("100,000 items: memory, peak", peak / 1024, "MiB", 64)


def measure_small(bench):
    """Measures the processor time of small downloads in a large and in an empty library."""
    content = bench.memory / "small"
    content.mkdir()
    make_file(content / "file", 2_000)
    origin = FastOrigin(content)
    with libraries(bench, 1, LARGE) as servers:
        costs = {count: [] for count in servers}
        for turn, count, server in alternating(TURNS + 1, servers):
            before = used(server.process.pid)
            run([bench.binary, "get", "--wait", "--allow-private", "--library", server.library,
                 *[origin.url(f"file?{turn}-{number}") for number in range(DOWNLOADS)]])
            costs[count].append((used(server.process.pid) - before) * 1000 / DOWNLOADS)
        peak = status_of(servers[LARGE].process.pid, "VmHWM")
    # The first turn warms the caches.
    empty, large = costs[1][1:], costs[LARGE][1:]
    bench.add("processor, small download", statistics.median(empty), "ms")
    bench.add("processor, small download, 100,000 items", statistics.median(large), "ms")
    bench.add("small download with 100,000 items / in an empty library",
              sum(large) / sum(empty), "×", 1.5)
    bench.add("100,000 items: memory, peak of small downloads", peak / 1024, "MiB", 64)


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


def import_of_films(bench, film, count):
    """Returns the times of an import of films until the command ends.

    The checks and the pictures come later.
    """
    library = bench.memory / f"films-{count}"
    library.mkdir()
    for number in range(count):
        # Links to one film need little memory and count as different files.
        (library / f"Film {number}.mp4").hardlink_to(film)
    result = run([bench.binary, "refresh", "--import", "--library", library])
    registry, = library.rglob("registry.sqlite")
    with contextlib.closing(sqlite3.connect(registry)) as connection:
        states = connection.execute("SELECT state, count(*) FROM items GROUP BY state").fetchall()
    if states != [("unverified", count)]:
        raise SystemExit(f"error: the import of {count} films left {states}")
    shutil.rmtree(library)
    return result


def measure_films(bench):
    film = bench.memory / "film.mp4"
    run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
         "testsrc2=size=320x180:rate=10:duration=2", "-f", "lavfi", "-i", "sine=duration=2",
         "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-shortest", film])
    few, many = (import_of_films(bench, film, count) for count in (FILMS, IMPORTED))
    bench.add("import of 2,000 films", few.wall, "s")
    bench.add("import of 20,000 films", many.wall, "s", 60)
    bench.add("import of 20,000 films: each, processor", many.cpu * 1000 / IMPORTED, "ms")
    # Four times the films may take somewhat more than four times the time on a busy machine.
    quarter = import_of_films(bench, film, IMPORTED // 4)
    bench.add("import of 20,000 films / of 5,000", many.wall / quarter.wall, "×", 5)


def measure_clients(bench):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # This process also needs a descriptor for each client.
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CLIENTS), hard))
    library = bench.memory / "clients"
    fill(bench.binary, library, SMALL)
    # The server must raise the limit, because the server does not get the limit of this process.
    few = ["prlimit", f"--nofile={FEW_FILES}:"]
    with Server(bench.binary, library, few) as server:
        clients = [server.events() for _ in range(CLIENTS)]
        for client in clients:
            receive(client, b"event: catalog")
        for turn in range(REPETITIONS):
            delay_of_change(server, clients[0], SMALL, f"Title {turn} of a change")
        for client in clients[1:]:
            receive(client, f"Title {REPETITIONS - 1} of".encode())
        peak = status_of(server.process.pid, "VmHWM")
        for client in clients:
            client.close()
    shutil.rmtree(library)
    bench.add("memory, 1,000 page clients", peak / 1024, "MiB", 64)


def main():
    measures = {"list": measure_list, "small": measure_small, "import": measure_import,
                "films": measure_films, "clients": measure_clients}
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
