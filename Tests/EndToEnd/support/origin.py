# SPDX-License-Identifier: Apache-2.0
"""The loopback web server of the tests; Tests/Support/origin.py says what its routes can do."""

import json
import pathlib
import subprocess
import sys
import urllib.request

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "Support" / "origin.py"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class OriginProcess:
    """The one process that serves every origin of a test session."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def another(self):
        self.process.stdin.write("another\n")
        self.process.stdin.flush()
        return Origin(self.process.stdout.readline().strip(), self)

    def close_port(self, port):
        self.process.stdin.write(f"close {port}\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class Origin:
    """One server with routes, gates and a log of its own."""

    def __init__(self, base, process):
        self.base = base
        self.port = int(base.rsplit(":", 1)[1])
        self.process = process

    def url(self, path):
        return self.base + path

    def serve(self, routes):
        """Adds routes; {"/a": {"text": "…"}}."""
        self.control("PUT", "routes", routes)

    def open_gate(self, name):
        self.control("POST", f"gates/{name}")

    def wait_at_gate(self, name, count=1):
        """Returns when so many requests wait at the gate."""
        self.control("GET", f"gates/{name}?waiting={count}")

    def log(self, finished=0):
        """The requests so far, once that many of them were finished."""
        return self.control("GET", f"log?finished={finished}")

    def settled_log(self):
        """The requests so far, once all of them were finished."""
        count = len(self.log())
        return self.log(finished=count)

    def reset(self):
        self.control("POST", "reset")

    def close(self):
        self.process.close_port(self.port)

    def control(self, method, name, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(f"{self.base}/_control/{name}", body, method=method)
        with DIRECT.open(request, timeout=120) as answer:
            return json.load(answer)
