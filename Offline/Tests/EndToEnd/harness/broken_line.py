# SPDX-License-Identifier: Apache-2.0
"""A broken line, which is a proxy that closes the connection on some requests."""

import contextlib
import socket
import socketserver
import threading

from .line import Line, direct, target


class BrokenLine(Line):
    """A line that refuses requests with a string of `broken` in their heads for `loads` pages."""

    def __init__(self, *broken, loads=1_000):
        self.broken, self.loads = [text.encode() for text in broken], loads
        super().__init__(Connection)

    def breaks(self, piece):
        # Each page is loaded with all its parts before the next page.
        self.loads -= b"Sec-Fetch-Mode: navigate" in piece
        return self.loads >= 0 and any(text in piece for text in self.broken)

    def mend(self):
        """Passes on everything from now on."""
        self.loads = 0


class Connection(socketserver.BaseRequestHandler):
    """A connection of the browser to one server."""

    def handle(self):
        with contextlib.suppress(OSError):
            piece = self.request.recv(65536)
            server = target(piece)
            if not server:
                return  # A connection made in advance, or a request of the browser itself.
            with socket.create_connection(server, timeout=600) as upstream:
                threading.Thread(target=self.answer, args=(upstream,), daemon=True).start()
                while piece and not self.server.breaks(piece):
                    upstream.sendall(direct(piece))
                    piece = self.request.recv(65536)
                self.end()

    def answer(self, upstream):
        with contextlib.suppress(OSError):
            while piece := upstream.recv(65536):
                self.request.sendall(piece)
        self.end()

    def end(self):
        with contextlib.suppress(OSError):
            self.request.shutdown(socket.SHUT_RDWR)
