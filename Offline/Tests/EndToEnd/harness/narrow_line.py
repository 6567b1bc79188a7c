# SPDX-License-Identifier: Apache-2.0
"""A narrow line: a proxy that holds back a server until its bytes have reached the browser."""

import contextlib
import socket
import socketserver
import threading
import time

from .line import Line, direct, target

PIECE = 64 << 10


class NarrowLine(Line):
    """A line whose responses share `rate` bytes per second; `carried` counts them."""

    def __init__(self, rate):
        self.rate, self.carried = rate, 0
        self.lock, self.free = threading.Lock(), 0
        super().__init__(Connection)

    def carry(self, count):
        """Waits until the line has carried these bytes, after all that it carries already."""
        with self.lock:
            self.carried += count
            self.free = max(self.free, time.monotonic()) + count / self.rate
            wait = self.free - time.monotonic()
        time.sleep(max(0, wait))


class Connection(socketserver.BaseRequestHandler):
    """A connection of the browser, which it uses for one server."""

    def handle(self):
        with contextlib.suppress(OSError):
            first = self.request.recv(65536)
            server = target(first)
            if not server:
                return  # A connection made in advance, or a request of the browser itself.
            with socket.socket() as upstream:
                # Set before the connection: what a killed server has sent already still arrives.
                upstream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE)
                upstream.connect(server)
                upstream.sendall(direct(first))
                threading.Thread(target=self.send, args=(upstream,), daemon=True).start()
                while piece := upstream.recv(PIECE):
                    self.server.carry(len(piece))
                    self.request.sendall(piece)

    def send(self, upstream):
        """Passes on the further requests; the end of either side ends both."""
        with contextlib.suppress(OSError):
            while piece := self.request.recv(65536):
                upstream.sendall(direct(piece))
        with contextlib.suppress(OSError):
            upstream.shutdown(socket.SHUT_RDWR)
