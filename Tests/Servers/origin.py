#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The origin server of the tests: a web server that misbehaves on demand.

    python3 origin.py            prints http://127.0.0.1:PORT, serves until stdin closes

A line "another" on stdin starts another independent server and prints the address. A line
"close PORT" stops a server.

Every path returns 404 until routes are set. Paths under /_control are the control API:

    PUT    /_control/routes      {PATH: ROUTE or [ROUTE, ...], ...}; adds to the existing routes (or POST)
    DELETE /_control/routes      removes all routes
    POST   /_control/gates/NAME  opens a gate permanently
    GET    /_control/gates/NAME?waiting=N
                                 responds when N requests wait at the gate: {"waiting": n}
    GET    /_control/log?finished=N
                                 responds when N requests are finished (default 0: immediately), or
                                 with arrived=N when N have arrived:
                                 [{index, connection, method, path, range, headers, body, status,
                                   sent, time, finished, error}, ...] in the order of arrival
    DELETE /_control/log         clears the log
    GET    /_control/connection  the number of this request's connection, the newest so far: {"number": n}
    POST   /_control/reset       removes routes and gates and clears the log; opens the old gates
    Waiting requests fail with 504 after 120 s.

PATH is compared first with the request's path and query, then with the path alone. A PATH that
ends in "/" also matches all paths below it, and the longest match wins. With a list, the first route
serves the first request and so on. The last route serves all further requests. {"times": 3, ...}
uses a route of a list three times.

A ROUTE is a JSON object. The body is one of
    "text": "..."                this text
    "base64": "..."              these bytes
    "file": "/path"              this file
    "directory": "/path"         the file at the rest of the path, for a PATH that ends in "/"
    "size": N, "seed": S         N bytes that depend on the seed and differ at every offset
    "gzip": N                    N zero bytes, compressed, with Content-Encoding: gzip
    "endless": true              bytes until the client closes the connection (chunked)
A route without a body serves the file of the directory route above it, so {"throttle": 1000}
throttles one file of a tree. The response is controlled by
    "status": 404                the status; the whole body is sent
    "headers": {...}             additional headers, which replace the server's own;
                                 null removes a header, a list repeats it
    "type": "video/mp2t"         Content-Type
    "etag": '"v1"'               default: strong, of the content; null: none
    "lastModified": "..."        Last-Modified; default: none
    "ranges": "honor"            "ignore": 200 with the whole body; "wrong": 206 with a
                                 Content-Range one byte off; "refuse": 416; "silent": honored
                                 but not announced
    "framing": "length"          "chunked", or "close": the end of the connection ends the body
    "announce": N                Content-Length is N, whatever is sent
    "cut": N                     N body bytes, then the connection is closed (chunked: no last chunk)
    "reset": true                a cut sends RST instead of FIN
    "redirect": "URL"            Location; the default status is 302
    "throttle": N                N bytes per second
    "shared": true               with "throttle": for all responses of the path together
    "faster": ["NAME", N]        with "throttle": N bytes per second as soon as the gate is open
    "drip": [N, SECONDS]         N bytes, then a pause, repeatedly
    "crawl": [START, N, SECONDS] after START body bytes: N bytes, then a pause, repeatedly
    "delay": SECONDS             a pause before the head
    "headDrip": SECONDS          a pause after each byte of the head
    "gate": "NAME"               waits before the head until the gate is open
    "gateAfter": N               with "gate": waits after N body bytes instead
    "close": true                Connection: close
    "raw": "...", "rawRepeat": [TEXT, N]
                                 exactly this text (the second N times) instead of a response,
                                 then the connection is closed
If-Range is honored by ETag (strong only) and by Last-Modified, If-None-Match by ETag. HEAD works
everywhere.

The pauses of "throttle", "drip", "crawl", "headDrip" and "delay" are real time, because they simulate a slow
server for the client under test. To wait for an event, tests use gates.
"""

import base64
import email.utils
import functools
import hashlib
import io
import itertools
import json
import mimetypes
import os
import random
import socket
import struct
import sys
import threading
import time
import urllib.parse
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = 256 * 1024
WAIT_LIMIT = 600

mimetypes.add_type("application/vnd.apple.mpegurl", ".m3u8")
mimetypes.add_type("video/mp2t", ".ts")
mimetypes.add_type("video/iso.segment", ".m4s")


class State:
    """Routes, log and gates, guarded by one condition."""

    def __init__(self):
        self.changed = threading.Condition()
        self.routes = {}
        self.log = []
        self.gates = {}
        self.waiting = {}
        self.start = time.monotonic()
        # The times until which the shared rates of paths are used up.
        self.used = {}

    def due(self, path, seconds):
        """Returns the time until which these seconds of data use up the rate of a path."""
        with self.changed:
            self.used[path] = max(time.monotonic(), self.used.get(path, 0)) + seconds
            return self.used[path]

    def set_routes(self, routes):
        with self.changed:
            for path, value in routes.items():
                queue = []
                for route in value if isinstance(value, list) else [value]:
                    queue.extend([route] * route.get("times", 1))
                self.routes[path] = queue

    def route(self, target):
        """Returns the route for a request and the path that matched."""
        path = target.split("?", 1)[0]
        with self.changed:
            above = [p for p in self.routes if p.endswith("/") and path.startswith(p)]
            above.sort(key=len, reverse=True)
            tree = next((p for p in above if "directory" in self.routes[p][0]), None)
            directory = self.routes[tree][0]["directory"] if tree else None
            key = next((k for k in [target, path, *above] if k in self.routes), None)
            if key is None:
                return None, None
            queue = self.routes[key]
            route = dict(queue[0])
            if len(queue) > 1:
                queue.pop(0)
            if directory and not BODIES.intersection(route) and "redirect" not in route:
                route["directory"] = directory
            if "directory" in route:
                rest = path[len(tree):] if tree and path.startswith(tree) else ""
                route["file"] = safe_join(route["directory"], urllib.parse.unquote(rest))
        return route, key

    def pass_gate(self, name):
        with self.changed:
            event = self.gates.setdefault(name, threading.Event())
            self.waiting[name] = self.waiting.get(name, 0) + 1
            self.changed.notify_all()
        event.wait()
        with self.changed:
            self.waiting[name] -= 1

    def open_gate(self, name):
        with self.changed:
            self.gates.setdefault(name, threading.Event()).set()

    def is_open(self, name):
        with self.changed:
            return name in self.gates and self.gates[name].is_set()

    def reset(self):
        with self.changed:
            for event in self.gates.values():
                event.set()
            self.routes, self.log, self.gates, self.waiting = {}, [], {}, {}


BODIES = {"text", "base64", "file", "directory", "size", "gzip", "endless"}


def safe_join(root, rest):
    path = os.path.realpath(os.path.join(root, rest.lstrip("/")))
    inside = path.startswith(os.path.realpath(root) + os.sep)
    return path if inside and os.path.isfile(path) else None


class Generated(io.RawIOBase):
    """A reader of bytes that depend on the seed and the offset, without storing them."""

    def __init__(self, size, seed):
        super().__init__()
        self.size, self.offset = size, 0
        # The length is prime, so that the bytes differ at offsets that are a power of two apart.
        block = random.Random(seed).randbytes(65521)
        self.block = block * 5
        self.length = len(block)

    def seek(self, offset, whence=io.SEEK_SET):
        self.offset = offset
        return offset

    def read(self, count=-1):
        count = min(count, self.size - self.offset, 4 * self.length)
        start = self.offset % self.length
        self.offset += max(0, count)
        return self.block[start:start + count] if count > 0 else b""


def open_body(route):
    """Returns a reader, the length (None: endless) and a tag for the ETag."""
    if "gzip" in route:
        data = zipped_zeros(route["gzip"])
    elif "text" in route:
        data = route["text"].encode()
    elif "base64" in route:
        data = base64.b64decode(route["base64"])
    elif "size" in route:
        size, seed = route["size"], route.get("seed", 0)
        return Generated(size, seed), size, f"{seed}-{size}"
    elif route.get("endless"):
        return Generated(1 << 62, route.get("seed", 0)), None, "endless"
    elif route.get("file"):
        file = open(route["file"], "rb")
        status = os.fstat(file.fileno())
        return file, status.st_size, f"{status.st_mtime_ns:x}-{status.st_size:x}"
    else:
        data = b""
    return io.BytesIO(data), len(data), hashlib.sha256(data).hexdigest()[:16]


@functools.cache
def zipped_zeros(size):
    """Compresses one block and repeats the result.

    Compressing all of the data would hold up the other servers of this process.
    """
    block = bytes(1 << 20)
    count, rest = divmod(size, len(block))
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    # After a full flush, a block does not refer to earlier blocks.
    once = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    end = packer.compress(block[:rest]) + packer.flush()
    checksum = 0
    for _ in range(count):
        checksum = zlib.crc32(block, checksum)
    checksum = zlib.crc32(block[:rest], checksum)
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return head + once * count + end + struct.pack("<II", checksum, size & 0xFFFFFFFF)


class Hangup(Exception):
    """Raised to close the connection."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def setup(self):
        super().setup()
        # Little data is on the way to a client that stands still, so `sent` is almost exact.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
        self.state = self.server.state
        self.connection_number = self.server.numbers.pop(self.client_address)

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.posted = self.rfile.read(length)
        if self.path.startswith("/_control/"):
            self.control(urllib.parse.urlsplit(self.path))
        else:
            self.serve_logged()

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET

    # Control

    def control(self, url):
        query = urllib.parse.parse_qs(url.query)
        name = url.path.removeprefix("/_control/")
        if (self.command, name) in (("PUT", "routes"), ("POST", "routes")):
            self.state.set_routes(json.loads(self.posted))
        elif (self.command, name) == ("DELETE", "routes"):
            with self.state.changed:
                self.state.routes = {}
        elif (self.command, name) == ("POST", "reset"):
            self.state.reset()
        elif (self.command, name) == ("DELETE", "log"):
            with self.state.changed:
                self.state.log = []
        elif (self.command, name) == ("GET", "log"):
            count, arrived = (int(query.get(each, ["0"])[0]) for each in ("finished", "arrived"))
            return self.respond_when(
                lambda: sum(entry["finished"] for entry in self.state.log) >= count
                and len(self.state.log) >= arrived, lambda: self.state.log)
        elif (self.command, name) == ("GET", "connection"):
            return self.respond_json(200, {"number": self.connection_number})
        elif name.startswith("gates/"):
            gate = name.removeprefix("gates/")
            if self.command == "GET":
                count = int(query.get("waiting", ["0"])[0])
                return self.respond_when(
                    lambda: self.state.waiting.get(gate, 0) >= count,
                    lambda: {"waiting": self.state.waiting.get(gate, 0)})
            self.state.open_gate(gate)
        else:
            return self.respond_json(404, {"error": "no such control"})
        return self.respond_json(200, {})

    def respond_when(self, condition, value):
        with self.state.changed:
            met = self.state.changed.wait_for(condition, WAIT_LIMIT)
            text = json.dumps(value())
        self.respond_json(200 if met else 504, text)

    def respond_json(self, status, value):
        body = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    # Serving

    def serve_logged(self):
        entry = {
            "connection": self.connection_number, "method": self.command, "path": self.path,
            "range": self.headers.get("Range"), "headers": dict(self.headers.items()),
            "body": self.posted.decode(errors="replace"), "status": None, "sent": 0,
            "time": round(time.monotonic() - self.state.start, 6), "finished": False, "error": None,
        }
        self.entry = entry
        with self.state.changed:
            entry["index"] = len(self.state.log)
            self.state.log.append(entry)
            self.state.changed.notify_all()
        try:
            route, _ = self.state.route(self.path)
            self.serve(route)
        except Hangup:
            self.close_connection = True
        except OSError as error:
            entry["error"] = str(error)
            self.close_connection = True
        finally:
            with self.state.changed:
                entry["finished"] = True
                self.state.changed.notify_all()

    def serve(self, route):
        if route is None or ("directory" in route and not route.get("file")):
            route = {"status": 404, "text": "not found\n", "type": "text/plain", "etag": None}
        self.route = route
        time.sleep(route.get("delay", 0))
        if "gate" in route and "gateAfter" not in route:
            self.state.pass_gate(route["gate"])
        if "raw" in route or "rawRepeat" in route:
            self.send_raw()
        body, length, tag = open_body(route)
        with body:
            self.respond(body, length, tag)

    def send_raw(self):
        self.connection.sendall(self.route.get("raw", "").encode("latin-1"))
        text, times = self.route.get("rawRepeat", ["", 0])
        at_once = max(1, PIECE // max(1, len(text)))
        for start in range(0, times, at_once):
            self.connection.sendall((text * min(at_once, times - start)).encode("latin-1"))
        raise Hangup

    def respond(self, body, length, tag):
        route = self.route
        status = route.get("status", 302 if "redirect" in route else 200)
        headers = {"Date": email.utils.formatdate(usegmt=True), "Content-Type": self.content_type()}
        etag = route.get("etag", f'"{tag}"')
        if etag is not None:
            headers["ETag"] = etag
        if "lastModified" in route:
            headers["Last-Modified"] = route["lastModified"]
        if "gzip" in route:
            headers["Content-Encoding"] = "gzip"
        if "redirect" in route:
            headers["Location"] = route["redirect"]
        first, count = 0, length
        if status == 200 and etag is not None and self.headers.get("If-None-Match") == etag:
            status, count = 304, 0
        elif status == 200 and length is not None:
            status, first, count = self.ranged(length, etag, headers)
        self.frame(headers, count)
        headers.update(route.get("headers", {}))
        self.send_head(status, headers)
        if self.command != "HEAD" and status not in (204, 304):
            body.seek(first)
            self.send_body(body, count)
        if self.close_after:
            raise Hangup

    def content_type(self):
        if "type" in self.route:
            return self.route["type"]
        guess = mimetypes.guess_type(self.route.get("file") or self.path.split("?")[0])[0]
        return guess or "application/octet-stream"

    def ranged(self, length, etag, headers):
        mode = self.route.get("ranges", "honor")
        if mode == "ignore":
            return 200, 0, length
        if mode != "silent":
            headers["Accept-Ranges"] = "bytes"
        wanted = self.headers.get("Range", "")
        if not wanted.startswith("bytes=") or "," in wanted or not self.if_range_matches(etag):
            return 200, 0, length
        start, _, end = wanted.removeprefix("bytes=").partition("-")
        if start == "":
            first, last = max(0, length - int(end)), length - 1
        else:
            first, last = int(start), min(int(end) if end else length - 1, length - 1)
        if mode == "refuse" or first >= length or first > last:
            headers["Content-Range"] = f"bytes */{length}"
            return 416, 0, 0
        shift = 1 if mode == "wrong" else 0
        headers["Content-Range"] = f"bytes {first + shift}-{last + shift}/{length + shift}"
        return 206, first, last - first + 1

    def if_range_matches(self, etag):
        condition = self.headers.get("If-Range")
        if condition is None:
            return True
        if condition.startswith('"'):
            return condition == etag
        return condition == self.route.get("lastModified")

    def frame(self, headers, count):
        framing = self.route.get("framing", "chunked" if count is None else "length")
        self.chunked = framing == "chunked" and self.request_version != "HTTP/1.0"
        self.close_after = framing == "close" or bool(self.route.get("close"))
        if self.close_after:
            headers["Connection"] = "close"
        if "announce" in self.route:
            headers["Content-Length"] = str(self.route["announce"])
        elif self.chunked:
            headers["Transfer-Encoding"] = "chunked"
        elif framing == "length":
            headers["Content-Length"] = str(count)

    def send_head(self, status, headers):
        self.entry["status"] = status
        lines = [f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}"]
        for name, value in headers.items():
            for one in value if isinstance(value, list) else [value]:
                if one is not None:
                    lines.append(f"{name}: {one}")
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        pause = self.route.get("headDrip")
        if pause is None:
            self.connection.sendall(head)
            return
        for byte in head:
            self.connection.sendall(bytes([byte]))
            time.sleep(pause)

    def send_body(self, body, count):
        route = self.route
        cut, gate = route.get("cut"), route.get("gateAfter")
        left = 1 << 62 if count is None else count
        self.started, self.rate_begin, self.rate = time.monotonic(), 0, route.get("throttle")
        sent = 0
        while left > 0:
            if gate is not None and sent >= gate:
                self.state.pass_gate(route["gate"])
                gate = None
            if cut is not None and sent >= cut:
                self.hang_up()
            self.adapt_rate(sent)
            piece = min(left, self.piece_size(sent))
            for stop in (gate, cut):
                if stop is not None:
                    piece = min(piece, stop - sent)
            done = self.send_piece(body, piece)
            if done == 0:
                raise Hangup
            sent, left = sent + done, left - done
            self.entry["sent"] = sent
            self.pace(sent, done)
        if cut is not None and sent >= cut:
            self.hang_up()
        if self.chunked:
            self.connection.sendall(b"0\r\n\r\n")

    def adapt_rate(self, sent):
        """Changes to the faster rate of the route, starting with the present byte."""
        name, rate = self.route.get("faster", (None, self.rate))
        if rate != self.rate and self.state.is_open(name):
            self.rate, self.rate_begin, self.started = rate, sent, time.monotonic()

    def crawls(self, sent):
        return "crawl" in self.route and sent >= self.route["crawl"][0]

    def piece_size(self, sent):
        if self.crawls(sent):
            return self.route["crawl"][1]
        if "drip" in self.route:
            return self.route["drip"][0]
        if self.rate is not None:
            return max(1, min(PIECE, int(self.rate / 20)))
        return PIECE

    def pace(self, sent, done):
        if self.crawls(sent):
            time.sleep(self.route["crawl"][2])
        elif "drip" in self.route:
            time.sleep(self.route["drip"][1])
        elif self.route.get("shared"):
            time.sleep(max(0, self.state.due(self.path, done / self.rate) - time.monotonic()))
        elif self.rate is not None:
            due = self.started + (sent - self.rate_begin) / self.rate
            time.sleep(max(0, due - time.monotonic()))

    def send_piece(self, body, count):
        if isinstance(body, io.BufferedReader) and not self.chunked:
            offset = body.tell()
            done = os.sendfile(self.connection.fileno(), body.fileno(), offset, count)
            body.seek(offset + done)
            return done
        data = body.read(count)
        if self.chunked and data:
            self.connection.sendall(b"%x\r\n%b\r\n" % (len(data), data))
        else:
            self.connection.sendall(data)
        return len(data)

    def hang_up(self):
        if self.route.get("reset"):
            self.connection.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        raise Hangup


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.state = State()
        self.connections = itertools.count(1)
        # The numbers of accepted connections by address, until their threads start.
        self.numbers = {}

    def process_request(self, request, client_address):
        # The numbers follow the order of arrival, because the threads may start in another order.
        self.numbers[client_address] = next(self.connections)
        super().process_request(request, client_address)

    def end(self):
        self.shutdown()
        self.server_close()
        self.state.reset()

    def handle_error(self, request, client_address):
        pass  # Many tests close the connection on purpose.


def start(servers):
    server = Server(("127.0.0.1", 0), Handler)
    port = server.server_address[1]
    servers[port] = server
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    print(f"http://127.0.0.1:{port}", flush=True)


def main():
    servers = {}
    start(servers)
    # The parent process holds the writing end of stdin, so the loop ends with that process.
    for line in sys.stdin:
        command, _, port = line.strip().partition(" ")
        if command == "another":
            start(servers)
        elif command == "close" and int(port) in servers:
            servers.pop(int(port)).end()
    os._exit(0)


if __name__ == "__main__":
    main()
