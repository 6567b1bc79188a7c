# SPDX-License-Identifier: Apache-2.0
"""A line of a distant, slow network, which delays all bytes and limits the rate."""

import contextlib
import queue
import socket
import socketserver
import threading
import time

from .line import Line, direct, target

PIECE = 4 << 10


class SlowLine(Line):
    """A line with a round trip of `latency` seconds and a shared `rate` in bytes per second."""

    def __init__(self, latency, rate):
        self.latency, self.rate = latency, rate
        self.lock, self.free = threading.Lock(), 0
        super().__init__(Connection)

    def turn(self, count):
        """Returns the time at which the line has carried these bytes after all earlier bytes."""
        with self.lock:
            self.free = max(self.free, time.monotonic()) + count / self.rate
            return self.free


class Connection(socketserver.BaseRequestHandler):
    """A connection of the browser to one server."""

    def handle(self):
        with contextlib.suppress(OSError):
            # The packets that open a connection also make a round trip.
            time.sleep(self.server.latency)
            first = self.request.recv(65536)
            server = target(first)
            if not server:
                return  # A connection made in advance, or a request of the browser itself.
            with socket.create_connection(server, timeout=600) as upstream:
                requests, responses = queue.SimpleQueue(), queue.SimpleQueue()
                requests.put((time.monotonic() + self.server.latency / 2, direct(first)))
                self.run(self.read, self.request, requests, direct)
                self.run(self.write, upstream, requests)
                self.run(self.read, upstream, responses, bytes)
                self.write(self.request, responses, self.server.turn)

    @staticmethod
    def run(work, *arguments):
        threading.Thread(target=work, args=arguments, daemon=True).start()

    def read(self, source, pieces, change):
        """Gives each piece the time of arrival at the far end."""
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE):
                pieces.put((time.monotonic() + self.server.latency / 2, change(piece)))
        pieces.put((time.monotonic() + self.server.latency / 2, b""))

    @staticmethod
    def write(target, pieces, turn=lambda count: 0):
        with contextlib.suppress(OSError):
            while (piece := pieces.get())[1]:
                arrival, content = piece
                time.sleep(max(0, max(arrival, turn(len(content))) - time.monotonic()))
                target.sendall(content)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
