# SPDX-License-Identifier: Apache-2.0
"""The program under test: started, watched, killed."""

import dataclasses
import json
import os
import pathlib
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


def offline_binary():
    return _binary("OFFLINE_BINARY", ".build/release/offline", "Scripts/build-release.sh")


def killpoint_binary():
    return _binary("KILLPOINT_BINARY", ".build/debug/KillPoint", "swift build --product KillPoint")


def symbolicate_binary():
    return _binary(
        "SYMBOLICATE_BINARY", ".build/release/tidings-symbolicate", "Scripts/build-release.sh")


def sendreports_binary():
    return _binary(
        "SENDREPORTS_BINARY", ".build/debug/SendReports", "swift build --product SendReports")


def _binary(variable, usual, remedy):
    path = pathlib.Path(os.environ.get(variable) or ROOT / usual).resolve()
    assert os.access(path, os.X_OK), f"{path} is not there; run {remedy}"
    return path


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str


class Program:
    """`offline` on one library, in surroundings of its own."""

    def __init__(self, root, binary=None):
        self.root = pathlib.Path(root)
        self.binary = binary or offline_binary()
        self.library = self.root / "library"
        self.home = self.root / "home"
        self.cwd = self.root / "cwd"
        for folder in (self.home, self.cwd):
            folder.mkdir(parents=True, exist_ok=True)
        self.started = []
        # Variables that its environment has besides the usual ones.
        self.added = {}

    @property
    def environment(self):
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        # A proxy of the environment must not be used: nothing listens on port 9.
        return {**kept, "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm",
                "http_proxy": "http://127.0.0.1:9", "all_proxy": "http://127.0.0.1:9", **self.added}

    def command(self, *arguments):
        return [str(self.binary), *map(str, arguments), "--library", str(self.library)]

    def start(self, *arguments, prefix=(), **options):
        """Starts the program and returns at once; it is killed with the test at the latest."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen(
            [*prefix, *self.command(*arguments)], env=self.environment, cwd=self.cwd, text=True,
            start_new_session=True, **options)
        self.started.append(process)
        return process

    def run(self, *arguments, timeout=120, prefix=(), **options):
        """Runs the program to its end."""
        return finish(self.start(*arguments, prefix=prefix, **options), timeout)

    def get(self, address, *options, timeout=120):
        """`offline get` of an address of an origin."""
        return self.run("get", address, "--wait", "--allow-private", *options, timeout=timeout)

    def start_get(self, address, *options, **more):
        return self.start("get", address, "--wait", "--allow-private", *options, **more)

    def items(self):
        """`offline list --json`, newest first."""
        result = self.run("list", "--json")
        assert result.code == 0, result.err
        return json.loads(result.out)

    def item(self, number=None):
        items = [item for item in self.items() if number in (None, item["id"])]
        assert len(items) == 1, items
        return items[0]

    def media(self, item=None):
        """The path of an item's finished file."""
        return self.library / "media" / (item or self.item())["fileName"]

    def close(self):
        for process in self.started:
            if process.poll() is None:
                kill(process)
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()


def finish(process, timeout=120, input=None):
    """Waits for the end; a program that hangs is a failure."""
    try:
        out, err = process.communicate(input, timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        out, err = process.communicate()
        raise AssertionError(f"hung for {timeout} s: {process.args}\n{out}\n{err}") from None
    return Result(process.returncode, out or "", err or "")


def kill(process):
    """SIGKILL to the one process, not to its group: what it leaves behind must end by itself."""
    process.send_signal(signal.SIGKILL)
    process.wait(20)
