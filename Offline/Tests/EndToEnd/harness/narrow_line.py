# SPDX-License-Identifier: Apache-2.0
"""A narrow line: a proxy that holds back a server until its bytes have reached the browser."""

import contextlib
import re
import socket
import socketserver
import threading
import time

PIECE = 64 << 10


class NarrowLine(socketserver.ThreadingTCPServer):
    """An HTTP proxy whose responses share `rate` bytes per second; `carried` counts them."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, rate):
        super().__init__(("127.0.0.1", 0), Connection)
        self.rate, self.carried = rate, 0
        self.lock, self.free = threading.Lock(), 0
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

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
            target = re.match(rb"\w+ http://([^/:]+):(\d+)/", first)
            if not target:
                return  # A connection made in advance, or a request of the browser itself.
            with socket.socket() as upstream:
                # Set before the connection: what a killed server has sent already still arrives.
                upstream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE)
                upstream.connect((target[1], int(target[2])))
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


def direct(piece):
    """Returns the head of a request to a proxy as one to its server; a browser sends a head at once."""
    return re.sub(rb"^(\w+) http://[^/]+", rb"\1 ", piece)
