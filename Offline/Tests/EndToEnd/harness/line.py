# SPDX-License-Identifier: Apache-2.0
"""A line between a browser and servers, which is an HTTP proxy."""

import re
import socketserver
import threading


class Line(socketserver.ThreadingTCPServer):
    """Listens on `port` and gives each connection to a handler until the `with` block ends."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def target(piece):
    """Returns the host and port of a request to a local server, or None for another request."""
    found = re.match(rb"\w+ http://([^/:]+):(\d+)/", piece)
    return found and (found[1].decode(), int(found[2]))


def direct(piece):
    """Returns the head of a request to a proxy as a head for the server.

    A browser sends the whole head in one piece.
    """
    return re.sub(rb"^(\w+) http://[^/]+", rb"\1 ", piece)
