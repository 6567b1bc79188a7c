# SPDX-License-Identifier: Apache-2.0
"""Starts, observes and kills the program under test."""

import dataclasses
import json
import os
import pathlib
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[4]
# The kernel kills the process with its parent, because a killed parent runs no fixtures. A run in the
# background ignores some signals, and a child would inherit this.
END_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL", "env", "--default-signal=INT,TERM,HUP"]


def offline_binary():
    return _binary("OFFLINE_BINARY", ".build/debug/debug/offline", "Scripts/test.sh build")


def killpoint_binary():
    return _binary("KILLPOINT_BINARY", ".build/debug/debug/OfflineKillPoint", "Scripts/test.sh build")


def symbolicate_binary():
    return _binary(
        "SYMBOLICATE_BINARY", ".build/debug/debug/tidings-symbolicate", "Scripts/test.sh build")


def sendreports_binary():
    return _binary(
        "SENDREPORTS_BINARY", ".build/debug/debug/TidingsSendReports", "Scripts/test.sh build")


def _binary(variable, usual, remedy):
    path = pathlib.Path(os.environ.get(variable) or ROOT / usual).resolve()
    assert os.access(path, os.X_OK), f"{path} is missing; run {remedy}"
    return path


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str


class Program:
    """`offline` with one library and a separate home, working folder and environment."""

    def __init__(self, root, binary=None):
        self.root = pathlib.Path(root)
        self.binary = binary or offline_binary()
        self.library = self.root / "library"
        self.home = self.root / "home"
        self.cwd = self.root / "cwd"
        for folder in (self.home, self.cwd):
            folder.mkdir(parents=True, exist_ok=True)
        self.started = []
        # Additional environment variables.
        self.added = {}

    @property
    def environment(self):
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        # The program must not use a proxy of the environment, so the proxies name port 9 without a
        # listener.
        return {**kept, "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm",
                "http_proxy": "http://127.0.0.1:9", "all_proxy": "http://127.0.0.1:9", **self.added}

    def command(self, *arguments):
        return [str(self.binary), *map(str, arguments), "--library", str(self.library)]

    def start(self, *arguments, prefix=(), **options):
        """Starts the program and returns immediately.

        A running program is killed by `close`.
        """
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen(
            [*END_WITH_PARENT, *prefix, *self.command(*arguments)], env=self.environment, cwd=self.cwd,
            text=True, start_new_session=True, **options)
        self.started.append(process)
        return process

    def run(self, *arguments, timeout=120, prefix=(), **options):
        """Runs the program to its end."""
        return finish(self.start(*arguments, prefix=prefix, **options), timeout)

    def get(self, address, *options, timeout=120):
        """Runs `offline get` with an address of an origin."""
        return self.run("get", address, "--wait", "--allow-private", *options, timeout=timeout)

    def start_get(self, address, *options, **more):
        return self.start("get", address, "--wait", "--allow-private", *options, **more)

    def items(self):
        """Returns the items of `offline list --json`, the newest first."""
        result = self.run("list", "--json")
        assert result.code == 0, result.err
        return json.loads(result.out)

    def item(self, number=None):
        items = [item for item in self.items() if number in (None, item["id"])]
        assert len(items) == 1, items
        return items[0]

    def media(self, item=None):
        """Returns the path of an item's finished file."""
        return self.library / (item or self.item())["fileName"]

    @property
    def data(self):
        """The folder of the registry and of unfinished downloads."""
        return self.library / ".offline"

    def files(self):
        """Returns the names of the visible files in the library's folder."""
        return sorted(path.name for path in self.library.glob("[!.]*"))

    def close(self):
        for process in self.started:
            if process.poll() is None:
                kill(process)
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()


def finish(process, timeout=120, input=None):
    """Waits for the program to exit, and fails if the program hangs."""
    try:
        out, err = process.communicate(input, timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        out, err = process.communicate()
        raise AssertionError(f"hung for {timeout} s: {process.args}\n{out}\n{err}") from None
    return Result(process.returncode, out or "", err or "")


def kill(process):
    """Kills only the process and not the group, because the children must end on their own."""
    process.send_signal(signal.SIGKILL)
    # A process that waits for the disk ends only after that.
    process.wait(120)
