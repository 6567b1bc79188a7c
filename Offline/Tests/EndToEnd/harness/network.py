# SPDX-License-Identifier: Apache-2.0
"""Runs tests as root of a network namespace, where the tests control the interfaces."""

import contextlib
import ctypes
import os
import socket
import socketserver
import subprocess
import sys
import threading

from harness.program import END_WITH_PARENT

MARK = "OFFLINE_OWN_NETWORK"
# The first command is for an ordinary user with user namespaces, the second for a privileged user.
COMMANDS = (["unshare", "--user", "--map-root-user", "--net"], ["unshare", "--net"])
# A new namespace starts with an inactive loopback interface.
SETUP = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


def own_network(test):
    """Runs a test with another pytest in a new namespace, and shows the output of a failure."""
    if os.environ.get(MARK):
        return test

    def outside(request, tmp_path):
        name = f"{request.path}::{test.__name__}"
        result = subprocess.run(
            # The signal is set inside, because the kernel drops the setting when the user changes.
            [*namespace_command(), *SETUP, *END_WITH_PARENT, sys.executable, "-m", "pytest",
             "-p", "no:cacheprovider", "-o", "timeout=1700", "--basetemp", str(tmp_path / "inside"), name],
            env={**os.environ, MARK: "1"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert result.returncode == 0, result.stdout

    outside.__name__ = test.__name__
    outside.__doc__ = test.__doc__
    return outside


def namespace_command():
    """Returns the command that creates a namespace, and fails if the machine allows none."""
    failures = []
    for command in COMMANDS:
        try:
            found = subprocess.run([*command, *SETUP, "true"], capture_output=True, text=True)
        except FileNotFoundError as error:
            raise AssertionError(f"{error.filename} is missing; run make deps-test") from None
        if found.returncode == 0:
            return command
        failures.append(f"{' '.join(command)}: {found.stderr.strip()}")
    raise AssertionError(
        "This machine allows no network namespace, which these tests need. Allow "
        "user namespaces (sysctl kernel.unprivileged_userns_clone=1, or "
        "kernel.apparmor_restrict_unprivileged_userns=0; in a container also "
        "--security-opt seccomp=unconfined), or run as root with CAP_SYS_ADMIN.\n"
        + "\n".join(failures))


class Network:
    """The namespace's only external interface, with a cable to plug and unplug.

    The interface starts without a cable and without a route. The address is a public address, which
    this machine serves.
    """

    ADDRESS = "45.0.0.1"

    def __init__(self):
        assert os.environ.get(MARK), "this would change the machine's own network"
        self.ip("link add net0 type veth peer name cable")
        # An automatic address appears a second later, and a browser that is loading a page ends
        # requests at such a change. A kernel without IPv6 refuses this command and makes no
        # automatic address.
        for end in ("net0", "cable"):
            subprocess.run(["ip", "link", "set", end, "addrgenmode", "none"], capture_output=True)
        self.ip("link set net0 up")
        self.ip(f"address add {self.ADDRESS}/32 dev net0")

    def ip(self, words):
        subprocess.run(["ip", *words.split()], check=True)

    def mirror(self, origin):
        """Makes the origin reachable through the interface instead of the loopback."""
        return Mirror(origin.port)

    def batch(self, lines):
        """Runs many changes in one process."""
        subprocess.run(["ip", "-batch", "-"], input="\n".join(lines), text=True, check=True)

    def plug(self):
        self.ip("link set cable up")

    def unplug(self):
        self.ip("link set cable down")

    def go_online(self):
        self.plug()
        self.ip("route replace default dev net0")

    def go_offline(self):
        """Leaves only the loopback."""
        self.ip("address flush dev net0")
        self.ip("link set net0 down")

    def come_back(self):
        self.ip(f"address replace {self.ADDRESS}/32 dev net0")
        self.ip("link set net0 up")
        self.go_online()


class Host:
    """Another namespace with a cable to the namespace of the test."""

    def __init__(self, number):
        assert os.environ.get(MARK), "this would change the machine's own network"
        # The program `cat` ends with its input, and so with the test.
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up && echo && exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.holder.stdout.readline() == b"\n"
        self.cable = f"cable{number}"
        # The address of the test at this end of the cable.
        self.gateway = f"10.9.{number}.1"
        subprocess.run(
            ["sh", "-ec", f"""
                ip link add {self.cable} type veth peer name net0 netns {self.holder.pid}
                ip address add {self.gateway}/24 dev {self.cable}
                ip link set {self.cable} up
                nsenter --target {self.holder.pid} --net sh -ec '
                    ip address add 10.9.{number}.2/24 dev net0
                    ip link set net0 up
                    ip route add default via {self.gateway}'
            """], check=True)

    @property
    def prefix(self):
        """The command that runs another command on this host."""
        return ["nsenter", "--target", str(self.holder.pid), "--net"]

    @contextlib.contextmanager
    def inside(self):
        """Lets this thread create sockets on this host."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as own, \
                open(f"/proc/{self.holder.pid}/ns/net") as other:
            assert libc.setns(other.fileno(), 0) == 0, os.strerror(ctypes.get_errno())
            try:
                yield
            finally:
                assert libc.setns(own.fileno(), 0) == 0

    def cut(self):
        """Loses every packet without a signal to either side."""
        subprocess.run(["ip", "link", "set", self.cable, "down"], check=True)

    def mend(self):
        subprocess.run(["ip", "link", "set", self.cable, "up"], check=True)

    def close(self):
        self.holder.stdin.close()
        self.holder.wait(60)


class Mirror(socketserver.ThreadingTCPServer):
    """Serves a loopback server at the network's address under the same port."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port, address=Network.ADDRESS):
        self.port = port
        self.connections = set()
        super().__init__((address, port), Relay)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://{Network.ADDRESS}:{self.port}{path}"

    def hang_up(self):
        """Closes the open connections, but accepts new connections."""
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Relay(socketserver.BaseRequestHandler):
    """One connection, relayed in both directions."""

    def handle(self):
        self.server.connections.add(self.request)
        with socket.create_connection(("127.0.0.1", self.server.port)) as inner:
            up = threading.Thread(target=self.relay, args=(self.request, inner), daemon=True)
            up.start()
            self.relay(inner, self.request)
            up.join()

    @staticmethod
    def relay(source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(65_536):
                target.sendall(piece)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
