# SPDX-License-Identifier: Apache-2.0
"""A loopback web server with little overhead: one thread per connection, files by sendfile.

The server sends the files below a folder, whole or by range. `?rate=N` sends N bytes per second on
each connection, `&delay=S` waits S seconds before each response, and `&whole` offers no ranges.
"""

import os
import socket
import threading
import time
import urllib.parse

# The piece size of a throttled response is about what a fast line carries between two wake-ups.
PIECE = 64 << 10


class FastOrigin:
    """Serves until the process exits."""

    def __init__(self, folder, host="127.0.0.1"):
        self.folder = os.path.realpath(folder)
        self.listener = socket.create_server((host, 0), backlog=256)
        self.base = f"http://{host}:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path):
        return f"{self.base}/{path}"

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection, connection.makefile("rb") as reader:
                while self._respond(connection, reader):
                    pass
        except OSError:
            pass  # The client closed the connection.

    def _respond(self, connection, reader):
        line = reader.readline().split()
        if len(line) < 2:
            return False
        headers = {}
        while (header := reader.readline().strip()):
            name, _, value = header.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        url = urllib.parse.urlsplit(line[1].decode())
        path = os.path.realpath(os.path.join(self.folder, url.path.lstrip("/")))
        if not path.startswith(self.folder + os.sep) or not os.path.isfile(path):
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        with open(path, "rb") as file:
            self._send(connection, file, headers, url.query, line[0] == b"HEAD")
        return headers.get("connection", "").lower() != "close"

    def _send(self, connection, file, headers, query, is_head):
        size = os.fstat(file.fileno()).st_size
        options = urllib.parse.parse_qs(query, keep_blank_values=True)
        time.sleep(float(options.get("delay", ["0"])[0]))
        first, last = 0, size - 1
        status, ranges = "200 OK", "none" if "whole" in options else "bytes"
        if ranges == "bytes" and (wanted := headers.get("range", "")).startswith("bytes="):
            begin, _, end = wanted.removeprefix("bytes=").partition("-")
            first, last = int(begin), min(int(end) if end else last, last)
            status = f"206 Partial Content\r\nContent-Range: bytes {first}-{last}/{size}"
        kind = "application/vnd.apple.mpegurl" if file.name.endswith(".m3u8") \
            else "application/octet-stream"
        connection.sendall(
            f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {last - first + 1}\r\n"
            f'ETag: "{size}"\r\nAccept-Ranges: {ranges}\r\n\r\n'.encode())
        if not is_head:
            rate = options.get("rate")
            self._send_body(connection, file, first, last + 1, int(rate[0]) if rate else None)

    @staticmethod
    def _send_body(connection, file, offset, end, rate):
        begin, start = time.monotonic(), offset
        while offset < end:
            count = min(end - offset, PIECE if rate else 1 << 30)
            offset += os.sendfile(connection.fileno(), file.fileno(), offset, count)
            if rate:
                time.sleep(max(0, begin + (offset - start) / rate - time.monotonic()))
