#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The HTTP/2 origin of the tests: a server over TLS that misbehaves on demand.

    origin_http2.py [--streams N] [FOLDER]
        prints https://127.0.0.1:PORT and the path of the certificate that signs itself, and serves
        the files of the folder until stdin closes. A connection has at most N concurrent streams
        (default 100). A client that offers only HTTP/1.1 gets HTTP/1.1.

The system's Python runs this server, with Debian's python3-h2. A file answers ranges and has a strong ETag.
The query of a path changes the response:
    size=N         N bytes that differ at every offset, instead of a file
    status=N       this status
    delay=SECONDS  a pause before the head
    gate=NAME      waits before the head until the gate is open
    nolength       no Content-Length
    fault=KIND     the first response of this path fails after `at=N` body bytes (default 0):
                   "reset" and "clean" end the stream with RST_STREAM, by an error and without one;
                   "refuse" does so as REFUSED_STREAM before the head; "goaway" ends the connection
                   after GOAWAY, "close" without it; "short" ends the stream early

    /_control/log          [{connection, stream, protocol, path, range, others, status}, ...]: `others`
                           is the number of the connection's other streams at the arrival
    /_control/open?NAME    opens a gate
    /_control/wait?NAME=N  responds when N requests wait at the gate
"""

import argparse
import fcntl
import json
import os
import random
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import termios
import threading
import time
import urllib.parse

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

BLOCK = random.Random(7).randbytes(65521)
TICK = 0.005
PAUSE = 0.05


class State:
    """The log and the gates of all connections."""

    def __init__(self, folder, streams):
        self.folder, self.streams = folder and os.path.realpath(folder), streams
        self.lock = threading.Lock()
        self.log, self.open, self.waiting, self.failed = [], set(), {}, set()
        self.connections = 0


class Response:
    """A response that is sent bit by bit."""

    def __init__(self, state, method, path, headers):
        self.state = state
        parts = urllib.parse.urlsplit(path)
        self.path = parts.path
        self.options = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.due = time.monotonic() + float(self.options.get("delay", 0))
        self.sent, self.has_head, self.fault, self.is_counted = 0, False, None, False
        if "fault" in self.options:
            with state.lock:
                if path not in state.failed:
                    state.failed.add(path)
                    self.fault = self.options["fault"]
        self.faulty_since = None
        self.cut = int(self.options.get("at", 0)) if self.fault else None
        self.status, self.headers, self.body = self.make(method, headers)

    def make(self, method, headers):
        if self.path == "/_control/log":
            with self.state.lock:
                return 200, {}, json.dumps(self.state.log).encode()
        if self.path.startswith("/_control/"):
            return 200, {}, b""
        if "status" in self.options:
            return int(self.options["status"]), {}, b"no"
        body = self.content()
        if body is None:
            return 404, {}, b"none"
        fields, status = {"etag": f'"{len(body)}"', "accept-ranges": "bytes"}, 200
        wanted, condition = headers.get("range", ""), headers.get("if-range")
        if wanted.startswith("bytes=") and condition in (None, fields["etag"]):
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            first, last = int(first), min(int(last) if last else len(body) - 1, len(body) - 1)
            fields["content-range"] = f"bytes {first}-{last}/{len(body)}"
            status, body = 206, body[first:last + 1]
        return status, fields, b"" if method == "HEAD" else body

    def content(self):
        if "size" in self.options:
            size = int(self.options["size"])
            return (BLOCK * (size // len(BLOCK) + 1))[:size]
        if self.state.folder is None:
            return None
        path = os.path.realpath(os.path.join(self.state.folder, self.path.lstrip("/")))
        if not path.startswith(self.state.folder + os.sep) or not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def all_headers(self):
        kind = "application/vnd.apple.mpegurl" if self.path.endswith(".m3u8") else "application/octet-stream"
        length = {} if "nolength" in self.options else {"content-length": str(len(self.body))}
        return {"content-type": kind, **length, **self.headers}

    def is_ready(self):
        """Returns whether the head may be sent."""
        name, state = self.options.get("gate"), self.state
        with state.lock:
            if self.path == "/_control/open":
                state.open |= set(self.options)
            if self.path == "/_control/wait":
                return all(state.waiting.get(name, 0) >= int(n) for name, n in self.options.items())
            if name and not self.is_counted:
                self.is_counted = True
                state.waiting[name] = state.waiting.get(name, 0) + 1
            return time.monotonic() >= self.due and (name is None or name in state.open)

    def next(self, count):
        end = len(self.body) if self.cut is None else min(self.cut, len(self.body))
        return self.body[self.sent:min(end, self.sent + count)]


class Connection(threading.Thread):
    def __init__(self, state, sock, number):
        super().__init__(daemon=True)
        self.state, self.sock, self.number = state, sock, number
        self.responses = {}

    def run(self):
        try:
            self.sock = self.state.tls.wrap_socket(self.sock, server_side=True)
            if self.sock.selected_alpn_protocol() == "h2":
                self.serve()
            else:
                self.serve_http1()
        except (OSError, h2.exceptions.ProtocolError):
            pass  # The client closed the connection, or it was a fault.
        finally:
            self.sock.close()

    def record(self, stream, protocol, path, headers, response):
        if path.startswith("/_control/"):
            return
        with self.state.lock:
            self.state.log.append({
                "connection": self.number, "stream": stream, "protocol": protocol, "path": path,
                "range": headers.get("range"), "others": len(self.responses), "status": response.status})

    # HTTP/2

    def serve(self):
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.h2.local_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = self.state.streams
        self.h2.initiate_connection()
        while True:
            self.send_more()
            self.sock.sendall(self.h2.data_to_send())
            wait = TICK if self.responses else 60
            if not self.sock.pending() and not select.select([self.sock], [], [], wait)[0]:
                continue
            data = self.sock.recv(1 << 16)
            if not data:
                return
            for event in self.h2.receive_data(data):
                self.handle(event)

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            headers = {name.decode(): value.decode() for name, value in event.headers}
            path = headers[":path"]
            response = Response(self.state, headers[":method"], path, headers)
            self.record(event.stream_id, "h2", path, headers, response)
            self.responses[event.stream_id] = response
        elif isinstance(event, h2.events.StreamReset):
            self.responses.pop(event.stream_id, None)

    def send_more(self):
        for stream, response in list(self.responses.items()):
            if not response.is_ready():
                continue
            if response.fault == "refuse":
                self.reset(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
                continue
            if not response.has_head:
                response.has_head = True
                fields = [(":status", str(response.status)), *response.all_headers().items()]
                self.h2.send_headers(stream, fields)
            self.send_body(stream, response)

    def send_body(self, stream, response):
        for _ in range(16):
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            piece = response.next(room)
            if not piece:
                break
            self.h2.send_data(stream, piece)
            response.sent += len(piece)
        if response.cut is not None and response.sent >= min(response.cut, len(response.body)):
            # The client receives earlier bytes, so that the fault ends a response that has started.
            response.faulty_since = response.faulty_since or time.monotonic()
            if time.monotonic() - response.faulty_since > PAUSE and self.unacknowledged() == 0:
                self.fail(stream, response)
        elif response.sent == len(response.body):
            self.h2.end_stream(stream)
            del self.responses[stream]

    def unacknowledged(self):
        """Returns the number of sent bytes that the client's system does not have yet."""
        return int.from_bytes(fcntl.ioctl(self.sock, termios.TIOCOUTQ, bytes(4)), sys.byteorder)

    def fail(self, stream, response):
        kind = response.fault
        if kind == "reset":
            self.reset(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        elif kind == "clean":
            self.reset(stream, h2.errors.ErrorCodes.NO_ERROR)
        elif kind == "short":
            self.h2.end_stream(stream)
            del self.responses[stream]
        else:
            if kind == "goaway":
                self.h2.close_connection(h2.errors.ErrorCodes.INTERNAL_ERROR, last_stream_id=stream)
            self.sock.sendall(self.h2.data_to_send())
            raise OSError("a planned fault")

    def reset(self, stream, code):
        self.h2.reset_stream(stream, code)
        del self.responses[stream]

    # HTTP/1.1

    def serve_http1(self):
        reader = self.sock.makefile("rb")
        while (line := reader.readline().split()):
            headers = {}
            while (field := reader.readline().strip()):
                name, _, value = field.decode().partition(":")
                headers[name.lower()] = value.strip()
            response = Response(self.state, line[0].decode(), line[1].decode(), headers)
            self.record(0, "http/1.1", line[1].decode(), headers, response)
            while not response.is_ready():
                time.sleep(TICK)
            head = "".join(f"{name}: {value}\r\n" for name, value in response.all_headers().items())
            self.sock.sendall(f"HTTP/1.1 {response.status} -\r\n{head}\r\n".encode() + response.body)


def make_certificate(folder):
    """Makes a certificate that signs itself, for the addresses of this machine."""
    key, certificate = folder + "/key.pem", folder + "/certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
         "-keyout", key, "-out", certificate], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return key, certificate


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("folder", nargs="?")
    arguments = parser.parse_args()
    state = State(arguments.folder, arguments.streams)
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = make_certificate(folder)
        state.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        state.tls.load_cert_chain(certificate, key)
        state.tls.set_alpn_protocols(["h2", "http/1.1"])
        listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        print(f"https://127.0.0.1:{listener.getsockname()[1]} {certificate}", flush=True)
        threading.Thread(target=accept, args=(state, listener), daemon=True).start()
        # The parent process holds the writing end of stdin.
        sys.stdin.read()


def accept(state, listener):
    while True:
        sock, _ = listener.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        state.connections += 1
        Connection(state, sock, state.connections).start()


if __name__ == "__main__":
    main()
