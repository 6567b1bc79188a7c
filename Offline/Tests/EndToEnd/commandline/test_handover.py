# SPDX-License-Identifier: Apache-2.0
"""Tests of addresses for a server that ends or stops during a handover (O1 and O17)."""

import contextlib
import fcntl
import http.server
import json
import os
import socket
import threading

from harness.waiting import wait_until


class EndingServer(http.server.BaseHTTPRequestHandler):
    """A server that answers questions, and ends each connection with a request for a download."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = b'{"items": []}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True


class SilentServer(EndingServer):
    """A server that takes connections and never answers, as a stopped process does."""

    def handle(self):
        self.rfile.read()


@contextlib.contextmanager
def serving(program, handler):
    """Opens a library as a server with this handler does."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(program.data / "lock", "r+") as lock, open(program.data / "server.json", "w+") as file:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fcntl.flock(file, fcntl.LOCK_EX)
        json.dump({"address": f"http://127.0.0.1:{server.server_port}", "token": "a" * 64,
                   "process": os.getpid()}, file)
        file.flush()
        yield
    os.remove(program.data / "server.json")
    server.shutdown()
    server.server_close()


def stored(program):
    return list((program.data / "requests").glob("*.json"))


def hand_over(program, origin, samples, handler):
    origin.serve({"/first.mp4": {"file": str(samples.film)}, "/film.mp4": {"file": str(samples.film)}})
    assert program.get(origin.url("/first.mp4")).code == 0
    with serving(program, handler):
        process = program.start_get(origin.url("/film.mp4"))
        wait_until(lambda: stored(program), program.data)
    process.communicate(timeout=600)
    assert process.returncode == 0
    assert not stored(program)
    assert sorted(item["title"] for item in program.items()) == ["film", "first"]


def test_o1_an_address_survives_a_server_that_ends_during_the_hand_over(program, origin, samples):
    hand_over(program, origin, samples, EndingServer)


def test_o1_an_address_is_stored_although_the_server_has_stopped(program, origin, samples):
    hand_over(program, origin, samples, SilentServer)
