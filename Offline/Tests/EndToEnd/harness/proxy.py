# SPDX-License-Identifier: Apache-2.0
"""Proxies on the loopback that record the connections that pass through them."""

import base64
import contextlib
import socket
import socketserver
import threading


class Proxy(socketserver.ThreadingTCPServer):
    """An HTTP proxy, or a SOCKS5 proxy that resolves names, either with or without a user."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, kind, user=None, names=None):
        super().__init__(("127.0.0.1", 0), {"http": HTTPHandler, "socks5": SocksHandler}[kind])
        self.user, self.names = user, names or {}
        self.seen, self.heads = [], []
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def connect(self, host, port):
        """Records the target and returns a connection, with made-up names resolved."""
        self.seen.append(f"{host}:{port}")
        return socket.create_connection((self.names.get(host, host), port), timeout=60)


class HTTPHandler(socketserver.StreamRequestHandler):
    def handle(self):
        with contextlib.suppress(OSError):
            while self.handle_request():
                pass

    def handle_request(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return False
            head += line
        self.server.heads.append(head.decode())
        method, target, _ = head.decode().split("\r\n")[0].split(" ")
        if self.server.user:
            expected = "Basic " + base64.b64encode(self.server.user.encode()).decode()
            if f"proxy-authorization: {expected}".lower() not in head.decode().lower():
                self.wfile.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n"
                                 b"Proxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
                return False
        place = target if method == "CONNECT" else target.split("/")[2]
        host, port = (place if ":" in place else f"{place}:80").rsplit(":", 1)
        with self.server.connect(host, int(port)) as upstream:
            if method == "CONNECT":
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
                relay(self.connection, upstream)
            else:
                path = "/" + target.split("/", 3)[3]
                lines = head.decode().split("\r\n")[1:-2]
                kept = [line for line in lines if not line.lower().startswith("proxy-")]
                upstream.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""]).encode())
                while block := upstream.recv(65536):
                    self.wfile.write(block)
        return False


class SocksHandler(socketserver.StreamRequestHandler):
    def handle(self):
        with contextlib.suppress(OSError):
            self.rfile.read(self.rfile.read(2)[1])
            if self.server.user:
                self.wfile.write(b"\x05\x02")
                user = self.rfile.read(self.rfile.read(2)[1])
                password = self.rfile.read(self.rfile.read(1)[0])
                accepted = b":".join([user, password]).decode() == self.server.user
                self.wfile.write(b"\x01\x00" if accepted else b"\x01\x01")
                if not accepted:
                    return
            else:
                self.wfile.write(b"\x05\x00")
            kind = self.rfile.read(4)[3]
            host = (socket.inet_ntoa(self.rfile.read(4)) if kind == 1
                    else self.rfile.read(self.rfile.read(1)[0]).decode())
            port = int.from_bytes(self.rfile.read(2), "big")
            with self.server.connect(host, port) as upstream:
                self.wfile.write(b"\x05\x00\x00\x01" + bytes(6))
                relay(self.connection, upstream)


def relay(one, other):
    """Copies the bytes of both directions until one side closes."""
    def copy(source, target):
        with contextlib.suppress(OSError):
            while block := source.recv(65536):
                target.sendall(block)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    back = threading.Thread(target=copy, args=(other, one), daemon=True)
    back.start()
    copy(one, other)
    back.join()
