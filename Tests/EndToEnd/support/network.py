# SPDX-License-Identifier: Apache-2.0
"""Tests in a network of their own: a namespace in which they are root and cables are theirs."""

import contextlib
import os
import socket
import socketserver
import subprocess
import sys
import threading

MARK = "OFFLINE_OWN_NETWORK"
# As an ordinary user where such namespaces are allowed, else as one who may make them anyway.
WAYS = (["unshare", "--user", "--map-root-user", "--net"], ["unshare", "--net"])
# Nothing works without the loopback, which a new namespace has switched off.
FIRST = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


def own_network(test):
    """Runs a test by a pytest of its own inside a new namespace; what it says there is shown."""
    if os.environ.get(MARK):
        return test

    def outside(request, tmp_path):
        name = f"{request.path}::{test.__name__}"
        result = subprocess.run(
            [*way_in(), *FIRST, sys.executable, "-m", "pytest", "-p", "no:cacheprovider",
             "-o", "timeout=200", "--basetemp", str(tmp_path / "inside"), name],
            env={**os.environ, MARK: "1"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert result.returncode == 0, result.stdout

    outside.__name__ = test.__name__
    outside.__doc__ = test.__doc__
    return outside


def way_in():
    """The command that makes a namespace; a machine that makes none cannot prove anything."""
    said = []
    for way in WAYS:
        try:
            found = subprocess.run([*way, *FIRST, "true"], capture_output=True, text=True)
        except FileNotFoundError as error:
            raise AssertionError(f"{error.filename} is not there; run make deps-test") from None
        if found.returncode == 0:
            return way
        said.append(f"{' '.join(way)}: {found.stderr.strip()}")
    raise AssertionError(
        "These tests need a network namespace of their own, and this machine makes none. Allow "
        "user namespaces (sysctl kernel.unprivileged_userns_clone=1, or "
        "kernel.apparmor_restrict_unprivileged_userns=0; in a container also "
        "--security-opt seccomp=unconfined), or run as root with CAP_SYS_ADMIN.\n"
        + "\n".join(said))


class Network:
    """The namespace's one way out: an interface with a cable that can be pulled.

    Made without a cable and without a route. Its address is one of the public internet, behind
    which this same machine answers.
    """

    ADDRESS = "45.0.0.1"

    def __init__(self):
        assert os.environ.get(MARK), "this would change the network of the machine itself"
        self.ip("link add net0 type veth peer name cable")
        self.ip("link set net0 up")
        self.ip(f"address add {self.ADDRESS}/32 dev net0")

    def ip(self, words):
        subprocess.run(["ip", *words.split()], check=True)

    def mirror(self, origin):
        """The origin, reached over the interface and not the loopback."""
        return Mirror(origin.port)

    def batch(self, lines):
        """Many changes in a moment."""
        subprocess.run(["ip", "-batch", "-"], input="\n".join(lines), text=True, check=True)

    def plug(self):
        self.ip("link set cable up")

    def unplug(self):
        self.ip("link set cable down")

    def go_online(self):
        self.plug()
        self.ip("route replace default dev net0")

    def go_offline(self):
        """Nothing but the loopback is left."""
        self.ip("address flush dev net0")
        self.ip("link set net0 down")

    def come_back(self):
        self.ip(f"address replace {self.ADDRESS}/32 dev net0")
        self.ip("link set net0 up")
        self.go_online()


class Mirror(socketserver.ThreadingTCPServer):
    """Makes a server of the loopback answer at the network's address too, under its own port."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port):
        self.port = port
        self.connections = set()
        super().__init__((Network.ADDRESS, port), Passage)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://{Network.ADDRESS}:{self.port}{path}"

    def hang_up(self):
        """Ends what is under way; new connections are welcome."""
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Passage(socketserver.BaseRequestHandler):
    """One connection, passed on in both directions."""

    def handle(self):
        self.server.connections.add(self.request)
        with socket.create_connection(("127.0.0.1", self.server.port)) as inner:
            up = threading.Thread(target=self.pass_on, args=(self.request, inner), daemon=True)
            up.start()
            self.pass_on(inner, self.request)
            up.join()

    @staticmethod
    def pass_on(source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(65_536):
                target.sendall(piece)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
