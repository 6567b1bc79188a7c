# SPDX-License-Identifier: Apache-2.0
"""The loopback web server of the tests, whose routes Tests/Servers/origin.py documents."""

import json
import pathlib
import subprocess
import sys
import threading
import urllib.error
import urllib.request

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "Tests" / "Servers" / "origin.py"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


# The numbers of finished segments at which the stream of `pausing_routes` stops, and gate names.
PAUSES = [12, 28, 40]


def pausing_routes(samples):
    """Returns routes of a stream of 48 segments that stops three times, to show the progress."""
    return {"/s/": {"directory": str(samples.stream)},
            **{f"/s/part{number}.ts": {"gate": str(max(pause for pause in PAUSES if pause <= number))}
               for number in range(PAUSES[0], 48)}}


class OriginProcess:
    """The process that serves all origins of a test session."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        # One question and its answer pass at a time, because the table of faults asks from several
        # threads.
        self.lock = threading.Lock()

    def another(self):
        with self.lock:
            self.process.stdin.write("another\n")
            self.process.stdin.flush()
            return Origin(self.process.stdout.readline().strip(), self)

    def close_port(self, port):
        with self.lock:
            self.process.stdin.write(f"close {port}\n")
            self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.wait(120)


class Origin:
    """One server with its routes, gates and log."""

    def __init__(self, base, process):
        self.base = base
        self.port = int(base.rsplit(":", 1)[1])
        self.process = process

    def url(self, path):
        return self.base + path

    def serve(self, routes):
        """Adds routes, such as {"/a": {"text": "…"}}."""
        self.control("PUT", "routes", routes)

    def open_gate(self, name):
        self.control("POST", f"gates/{name}")

    def wait_at_gate(self, name, count=1):
        """Returns when `count` requests wait at the gate."""
        self.control("GET", f"gates/{name}?waiting={count}")

    def log(self, finished=0, arrived=0):
        """Returns the requests so far, once these numbers have finished and have arrived."""
        return self.control("GET", f"log?finished={finished}&arrived={arrived}")

    def settled_log(self, after=0):
        """Returns the requests so far, once all of these have finished.

        The list omits requests of connections up to `after`, which is an earlier
        `newest_connection`.
        """
        count = len(self.log())
        return [entry for entry in self.log(finished=count) if entry["connection"] > after]

    def fetched(self, after=0):
        """Returns the settled log without the requests that only ask whether a file changed."""
        return [entry for entry in self.settled_log(after)
                if entry["method"] == "GET" and entry["status"] != 304]

    def newest_connection(self):
        """Returns a number that no earlier connection exceeds.

        A request of a killed program may appear in the log late, after the start of the next
        program. The connection shows to which program the request belongs.
        """
        return self.control("GET", "connection")["number"]

    def reset(self):
        self.control("POST", "reset")

    def close(self):
        self.process.close_port(self.port)

    def control(self, method, name, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(f"{self.base}/_control/{name}", body, method=method)
        try:
            # This time is longer than the origin waits.
            with DIRECT.open(request, timeout=700) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            assert error.code == 504, error
            raise AssertionError(f"waited in vain for {name}: {json.load(error)}") from None
