# SPDX-License-Identifier: Apache-2.0
"""Tests in a network of their own: a namespace in which they are root and cables are theirs."""

import os
import subprocess
import sys

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
        self.ip(f"address add {self.ADDRESS}/24 dev net0")

    def ip(self, words):
        subprocess.run(["ip", *words.split()], check=True)

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
        """The interface goes, and with it every address but the loopback's."""
        self.ip("link set net0 down")

    def come_back(self):
        self.ip("link set net0 up")
        self.ip("route replace default dev net0")
