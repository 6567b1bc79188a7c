# SPDX-License-Identifier: Apache-2.0
"""The programs of the table: how each downloads an address into a folder."""

import pathlib
import shutil
import sys

from harness.program import offline_binary


class Tool:
    """A program that takes an address and the name of its result."""

    def __init__(self, name, command, files=True, streams=True, reports_on_output=False):
        self.name = name
        self.command = command
        self.takes_files, self.takes_streams = files, streams
        self.reports_on_output = reports_on_output

    @property
    def program(self):
        return self.command[0]

    def arguments(self, address, folder):
        values = {"address": address, "result": str(folder / "result.mp4"), "folder": str(folder)}
        return [word.format(**values) for word in self.command]

    def result(self, folder, _output):
        return folder / "result.mp4"

    def messages(self, output, errors):
        return (errors + output if self.reports_on_output else errors).strip()

    def takes(self, case):
        return self.takes_streams if case.is_stream else self.takes_files


class Offline(Tool):
    """Prints the path of its result."""

    def __init__(self):
        super().__init__("offline", [
            str(offline_binary()), "get", "{address}", "--wait", "--allow-private",
            "--library", "{folder}/library"])

    def result(self, folder, output):
        lines = output.strip().splitlines()
        return pathlib.Path(lines[-1]) if lines else None


def tools():
    """Returns the programs; each makes two attempts after the first, where it can be told so."""
    beside_python = pathlib.Path(sys.executable).parent / "yt-dlp"
    found = [
        Offline(),
        Tool("yt-dlp", [str(beside_python), "--ignore-config", "--no-progress", "--retries", "2",
                        "--fragment-retries", "2", "-o", "{result}", "{address}"]),
        Tool("aria2c", ["aria2c", "--no-conf", "--quiet", "--continue", "--max-tries=3",
                        "--retry-wait=1", "--allow-overwrite=true", "--auto-file-renaming=false",
                        "--dir={folder}", "--out=result.mp4", "{address}"], streams=False),
        Tool("curl", ["curl", "-q", "-fsSL", "--noproxy", "*", "--retry", "2", "-C", "-",
                      "-o", "{result}", "{address}"], streams=False),
        Tool("streamlink", ["streamlink", "--loglevel", "error", "--output", "{result}",
                            "--force", "{address}", "best"], files=False, reports_on_output=True),
        Tool("ffmpeg", ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", "{address}", "-c", "copy",
                        "{result}"], files=False),
    ]
    missing = [tool.name for tool in found if not shutil.which(tool.program)]
    assert not missing, f"{', '.join(missing)} missing: install it, or run make soak, which does"
    return found
