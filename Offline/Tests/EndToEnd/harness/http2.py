# SPDX-License-Identifier: Apache-2.0
"""The HTTP/2 server of the tests, with a certificate that only a prefixed program trusts.

Tests/Servers/origin_http2.py documents the paths.
"""

import json
import os
import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "Tests" / "Servers" / "origin_http2.py"
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


class HTTP2Origin:
    def __init__(self, folder, streams=100):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", str(SCRIPT), "--streams", str(streams), str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.base, self.certificate = self.process.stdout.readline().split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)

    @property
    def prefix(self):
        """The command that runs a program which trusts only this server's certificate."""
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        return ["unshare", *user, "--mount", "sh", "-c",
                f'mount --bind "$0" {AUTHORITIES} && exec "$@"', self.certificate]

    def url(self, path):
        return self.base + path

    def log(self):
        """Returns the requests so far."""
        return json.loads(self.call("log"))

    def open_gate(self, name):
        self.call(f"open?{name}")

    def wait_at_gate(self, name, count=1):
        self.call(f"wait?{name}={count}")

    def call(self, name):
        return subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--cacert", self.certificate,
             f"{self.base}/_control/{name}"], check=True, capture_output=True, timeout=120).stdout
