# SPDX-License-Identifier: Apache-2.0
"""The programs of the table, and the command with which each downloads an address into a folder."""

import pathlib
import shutil
import sys

from harness import registry
from harness.program import offline_binary


class Tool:
    """A program with a command for an address and a result, and the kinds of addresses."""

    def __init__(self, name, command, kinds, reports_on_output=False):
        self.name = name
        self.command = command
        self.kinds = kinds
        self.reports_on_output = reports_on_output

    @property
    def program(self):
        return self.command[0]

    def arguments(self, case, base, folder):
        return [word.format(address=base + case.path, result=folder / "result.mp4", folder=folder)
                for word in self.command]

    def result(self, folder, _output):
        return folder / "result.mp4"

    def stored(self, folder):
        """Returns the number of bytes that a kill leaves of an unfinished result."""
        return sum(path.stat().st_size for path in folder.glob("result*"))

    def messages(self, output, errors):
        return (errors + output if self.reports_on_output else errors).strip()

    def takes(self, case):
        return case.kind in self.kinds


class Offline(Tool):
    """The program `offline`, which prints the path of its result."""

    def __init__(self):
        super().__init__("offline", [str(offline_binary())],
                         {"file", "stream", "DASH", "live", "page", "feed"})

    def arguments(self, case, base, folder):
        options = ["--allow-private", "--library", str(folder / "library")]
        get = [self.program, "get", base + (case.entry or case.path), "--wait", *options]
        if case.kind == "live":
            get.append("--live")
        if case.kind == "feed":
            follow = [self.program, "follow", base + case.path, *options]
            # The entry is already the item of the feed, so that `get` only waits for that item.
            return ["sh", "-c", '"$1" "$2" "$3" "$4" "$5" "$6" && shift 6 && exec "$@"', "sh",
                    *follow, *get]
        return get

    def result(self, folder, output):
        lines = output.strip().splitlines()
        return pathlib.Path(lines[-1]) if lines else None

    def stored(self, folder):
        found = registry.snapshot(folder / "library")
        return found.partial + sum(segment.size or 0 for segment in found.segments)


class Aria2(Tool):
    """The program aria2, which resumes only the bytes in the control file."""

    def stored(self, folder):
        part, control = folder / "result.mp4", folder / "result.mp4.aria2"
        if not control.exists() or control.stat().st_mtime_ns < part.stat().st_mtime_ns:
            return 0
        return part.stat().st_size


def tools():
    """Returns the programs.

    Each program makes two attempts after the first, if an option for attempts exists.
    """
    beside_python = pathlib.Path(sys.executable).parent / "yt-dlp"
    found = [
        Offline(),
        Tool("yt-dlp", [str(beside_python), "--ignore-config", "--no-progress", "--retries", "2",
                        "--fragment-retries", "2", "-o", "{result}", "{address}"],
             {"file", "stream", "DASH", "live", "page", "feed"}),
        Aria2("aria2c", ["aria2c", "--no-conf", "--quiet", "--continue", "--max-tries=3",
                         "--retry-wait=1", "--allow-overwrite=true", "--auto-file-renaming=false",
                         # Without this option, a killed aria2 starts the file again at the first
                         # byte.
                         "--auto-save-interval=1",
                         "--dir={folder}", "--out=result.mp4", "{address}"], {"file"}),
        Tool("curl", ["curl", "-q", "-fsSL", "--noproxy", "*", "--retry", "2", "-C", "-",
                      "-o", "{result}", "{address}"], {"file"}),
        # streamlink reports that a DASH stream has no data, even without a fault.
        Tool("streamlink", ["streamlink", "--loglevel", "warning", "--output", "{result}",
                            "--force", "{address}", "best"], {"stream", "live"},
             reports_on_output=True),
        Tool("ffmpeg", ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", "{address}", "-c", "copy",
                        "{result}"], {"stream", "DASH", "live"}),
    ]
    missing = [tool.name for tool in found if not shutil.which(tool.program)]
    assert not missing, f"{', '.join(missing)} missing: install it, or run make soak, which does"
    return found
