# SPDX-License-Identifier: Apache-2.0
"""The server of a household, a stranger, and the machines that each machine has found."""

import contextlib
import json
import pathlib
import shutil
import socket
import subprocess

from harness.ports import free_port
from harness.program import END_WITH_PARENT, kill
from harness.waiting import wait_until


class NATSServer:
    """A real `nats-server` with its own folder, whose port and streams survive a restart."""

    def __init__(self, folder, *options):
        self.folder, self.options = pathlib.Path(folder), options
        self.port = free_port()
        self.address = f"nats://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        program = shutil.which("nats-server") or "/usr/sbin/nats-server"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            [*END_WITH_PARENT, program, "-a", "127.0.0.1", "-p", str(self.port), "-js",
             "-sd", str(self.folder), "-l", str(self.folder / "log"), *self.options],
            stdin=subprocess.DEVNULL)
        wait_until(self.is_listening, self.folder, "nats-server does not listen")

    def is_listening(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 5):
            return True
        return False

    def kill(self):
        if self.process:
            kill(self.process)
            self.process = None


class Stranger:
    """A client of another kind that publishes arbitrary messages."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 60)
        self.input = self.socket.makefile("rb")
        assert self.input.readline().startswith(b"INFO ")
        self.send(b'CONNECT {"verbose":false,"headers":true}\r\n')
        self.flush()

    def send(self, data):
        self.socket.sendall(data)

    def flush(self):
        """Returns when the server has taken all earlier messages."""
        self.send(b"PING\r\n")
        while True:
            line = self.input.readline()
            assert line, "the server ended the connection"
            if line.startswith(b"PONG"):
                return

    def publish(self, subject, body, **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        head = f"NATS/1.0\r\n{lines}\r\n".encode()
        self.send(f"HPUB {subject} {len(head)} {len(head) + len(body)}\r\n".encode()
                  + head + body + b"\r\n")
        self.flush()

    def close(self):
        self.input.close()
        self.socket.close()


def overview(server):
    return server.call("GET", "/api/machines")


def names(server):
    return [each["name"] for each in overview(server)["machines"]]


def inbox(server):
    return [(entry["title"], entry["body"])
            for entry in server.call("GET", "/api/notifications")["notifications"]]


def together(first, second):
    first.wait_until(lambda: len(names(first)) == 1)
    second.wait_until(lambda: len(names(second)) == 1)
