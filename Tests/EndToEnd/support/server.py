# SPDX-License-Identifier: Apache-2.0
"""`offline serve` and its HTTP API."""

import contextlib
import http.client
import json
import select
import time
import urllib.parse

from support.program import kill


class Server:
    """A running `offline serve`; started again it keeps its port and its token."""

    def __init__(self, program, *options, prefix=(), browser=False):
        self.program, self.options, self.prefix = program, options, prefix
        self.browser = () if browser else ("--no-browser",)
        self.port = 0
        self.start()

    def start(self):
        self.process = self.program.start(
            "serve", "--port", self.port, *self.browser, *self.options, prefix=self.prefix)
        self.address = self.read_line()
        assert self.address.startswith("http://127.0.0.1:"), self.rest()
        parts = urllib.parse.urlsplit(self.address)
        self.port = parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]
        self.origin = f"http://127.0.0.1:{self.port}"

    def read_line(self, seconds=120):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        assert ready, "the server printed no address"
        return self.process.stdout.readline().strip()

    def rest(self):
        kill(self.process)
        return self.process.stderr.read()

    def kill(self):
        kill(self.process)

    def request(self, method, path, body=None, headers=None, bearer=True):
        """One request, one connection; returns status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        sent = {"Authorization": f"Bearer {self.token}"} if bearer else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        with contextlib.closing(connection):
            connection.request(method, path, body, {**sent, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def call(self, method, path, body=None):
        """A request that must succeed; returns its JSON."""
        status, _, answer = self.request(method, path, body)
        assert status < 300, (status, answer)
        return json.loads(answer)

    def download(self, address, **options):
        return self.call("POST", "/api/downloads", {"url": address, "allowPrivate": True, **options})

    def items(self):
        return self.call("GET", "/api/items")["items"]

    def item(self, number):
        return self.call("GET", f"/api/items/{number}")

    def wait_until(self, condition, seconds=120):
        """Looks whenever the events tell of something, until the condition holds."""
        # The first event comes at once, so nothing that is so already is waited for.
        with Events(self, seconds) as events:
            for _ in events:
                if condition():
                    return
        raise AssertionError("the events ended before it happened")

    def wait_for_items(self, condition, seconds=120):
        """Follows the events until the condition holds for the items, by number."""
        with Events(self, seconds) as events:
            for _ in events:
                if events.items is not None and condition(events.items):
                    return events.items
        raise AssertionError(f"the events ended with {events.items}")


class Events:
    """The stream of server-sent events, and the items that it tells of."""

    def __init__(self, server, seconds=120):
        self.deadline = time.monotonic() + seconds
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=seconds)
        headers = {"Authorization": f"Bearer {server.token}"}
        self.connection.request("GET", "/api/events", headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()
        assert self.answer.headers.get_content_type() == "text/event-stream"
        self.items = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Not `close`, which would read the endless answer to its end.
        self.connection.sock and self.connection.sock.close()
        self.connection.close()

    def __iter__(self):
        name, data = None, []
        while True:
            assert time.monotonic() < self.deadline, f"waited in vain: {self.items}"
            received = self.answer.readline()
            if not received:
                return
            line = received.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                data.append(line.removeprefix("data: "))
            elif line == "" and name:
                value = json.loads("\n".join(data))
                self.take(name, value)
                yield name, value
                name, data = None, []

    def take(self, name, value):
        if name == "items":
            self.items = {item["id"]: item for item in value["items"]}
        elif name == "item":
            self.items[value["id"]] = value
        elif name == "progress":
            item = self.items.get(value["id"], {})
            # What it leaves out is no longer known.
            for member in ("totalBytes", "fraction", "bytesPerSecond", "remainingSeconds", "waiting"):
                item.pop(member, None)
            item.update(value)
        elif name == "removed":
            self.items.pop(value["id"], None)
