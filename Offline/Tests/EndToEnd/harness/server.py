# SPDX-License-Identifier: Apache-2.0
"""`offline serve` and the HTTP API."""

import contextlib
import http.client
import json
import select
import time
import urllib.parse

from harness.ports import free_port
from harness.program import kill
from harness.waiting import described


class Server:
    """A running `offline serve`, whose port and token survive a restart."""

    def __init__(self, program, *options, prefix=(), browser=False, port=None):
        self.program, self.options, self.prefix = program, options, prefix
        self.browser = () if browser else ("--no-browser",)
        self.port = free_port() if port is None else port
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
        """Sends a request on a new connection, and returns the status, headers and body."""
        connection = self.connection(120)
        sent = {"Authorization": f"Bearer {self.token}"} if bearer else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        with contextlib.closing(connection):
            connection.request(method, path, body, {**sent, **(headers or {})})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def connection(self, seconds):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    def call(self, method, path, body=None):
        """Sends a request that must succeed, and returns the JSON."""
        status, _, content = self.request(method, path, body)
        assert status < 300, (status, content)
        return json.loads(content)

    def download(self, address, **options):
        return self.call("POST", "/api/downloads", {"url": address, "allowPrivate": True, **options})

    def upload(self, content, name="film.mp4", beside=None):
        """Sends a file and returns the status and the JSON of the response."""
        query = urllib.parse.urlencode({"name": name, **({"beside": beside} if beside else {})})
        status, _, answer = self.request(
            "POST", f"/api/uploads?{query}", content, {"Content-Type": "application/octet-stream"})
        return status, json.loads(answer)

    def items(self):
        """Returns all items, page by page."""
        page = self.call("GET", "/api/items?count=1000")
        items = page["items"]
        while "next" in page:
            page = self.call("GET", f"/api/items?count=1000&after={page['next']}")
            items += page["items"]
        return items

    def item(self, number):
        return self.call("GET", f"/api/items/{number}")

    def wait_until(self, condition, seconds=120):
        """Checks the condition after each event until the condition is true."""
        # The first event arrives immediately, and so does the result of a condition that is already
        # true.
        with Events(self, seconds, described(condition)) as events:
            for _ in events:
                if condition():
                    return
        raise AssertionError(f"the events ended before this: {described(condition)}")

    def wait_for_items(self, condition, seconds=120):
        """Follows the events until the condition is true for the items, and returns the items."""
        with Events(self, seconds, described(condition)) as events:
            for _ in events:
                if events.items is not None and condition(events.items):
                    return events.items
        raise AssertionError(f"the events ended with {events.items} before this: {described(condition)}")


class Items(dict):
    """Items by number, without a state for an item that has not appeared in an event.

    The response to a request for a download may arrive before the event of the item.
    """

    def __missing__(self, number):
        return {"state": None}


class Events:
    """The stream of server-sent events, and the items in these events."""

    def __init__(self, server, seconds=120, awaited="the next event"):
        self.awaited = awaited
        self.deadline = time.monotonic() + seconds
        self.connection = server.connection(seconds)
        headers = {"Authorization": f"Bearer {server.token}"}
        self.connection.request("GET", "/api/events", headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        assert self.response.headers.get_content_type() == "text/event-stream"
        self.items = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # With the socket closed, `close` does not read the endless response to the end.
        self.connection.sock and self.connection.sock.close()
        self.connection.close()

    def __iter__(self):
        name, data = None, []
        while True:
            assert time.monotonic() < self.deadline, f"never came: {self.awaited}, with {self.items}"
            received = self.response.readline()
            if not received:
                return
            line = received.decode().rstrip("\n")
            if line.startswith(":"):
                # This value allows a new check of a condition that depends on more than the events.
                yield "keep-alive", None
            elif line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                data.append(line.removeprefix("data: "))
            elif line == "" and name:
                value = json.loads("\n".join(data))
                self.update(name, value)
                yield name, value
                name, data = None, []

    def update(self, name, value):
        if name == "items":
            self.items = Items((item["id"], item) for item in value["items"])
        elif name == "item":
            self.items[value["id"]] = value
        elif name == "progress":
            item = self.items.get(value["id"], {})
            # An event resets all members that the event omits.
            for member in ("totalBytes", "fraction", "bytesPerSecond", "remainingSeconds", "waiting"):
                item.pop(member, None)
            item.update(value)
        elif name == "removed":
            self.items.pop(value["id"], None)
