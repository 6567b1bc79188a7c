# SPDX-License-Identifier: Apache-2.0
"""A narrow line, which is a proxy that holds a server back until the browser has the bytes."""

import contextlib
import socket
import socketserver
import threading
import time

from .line import Line, direct, target

PIECE = 64 << 10


class NarrowLine(Line):
    """A line whose responses share `rate` bytes per second and count as `carried`.

    The line carries `hold` bytes of each connection until `let_go`, so that a large response does
    not end before.
    """

    def __init__(self, rate, hold):
        self.rate, self.hold, self.carried = rate, hold, 0
        self.free_ends = threading.Event()
        self.lock, self.free = threading.Lock(), 0
        super().__init__(Connection)

    def carry(self, count):
        """Waits until the line has carried these bytes after all earlier bytes."""
        with self.lock:
            self.carried += count
            self.free = max(self.free, time.monotonic()) + count / self.rate
            wait = self.free - time.monotonic()
        time.sleep(max(0, wait))

    def let_go(self):
        """Carries the ends of all responses from now on."""
        self.free_ends.set()

    def hold_again(self):
        """Carries only the first `hold` bytes of each later connection.

        An earlier connection still carries its end, which may be on the way.
        """
        self.free_ends = threading.Event()

    def __exit__(self, *_):
        self.let_go()
        super().__exit__()


class Connection(socketserver.BaseRequestHandler):
    """A connection of the browser to one server."""

    def handle(self):
        with contextlib.suppress(OSError):
            first = self.request.recv(65536)
            server = target(first)
            if not server:
                return  # A connection made in advance, or a request of the browser itself.
            free_ends = self.server.free_ends
            with socket.socket() as upstream:
                # This size is set before the connection, because bytes of a killed server still
                # arrive.
                upstream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE)
                upstream.connect(server)
                upstream.sendall(direct(first))
                threading.Thread(target=self.send, args=(upstream,), daemon=True).start()
                carried = 0
                while piece := upstream.recv(PIECE):
                    carried += len(piece)
                    if carried > self.server.hold:
                        free_ends.wait()
                    self.server.carry(len(piece))
                    self.request.sendall(piece)

    def send(self, upstream):
        """Passes on the further requests until either side ends, and then ends both."""
        with contextlib.suppress(OSError):
            while piece := self.request.recv(65536):
                upstream.sendall(direct(piece))
        with contextlib.suppress(OSError):
            upstream.shutdown(socket.SHUT_RDWR)
