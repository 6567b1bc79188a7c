# SPDX-License-Identifier: Apache-2.0
"""One fault of a server, and the only result that may be called a success."""

import dataclasses
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

from harness.media import picture_hashes


@dataclasses.dataclass
class Case:
    """A fault: the routes of a server, and the right content of what is at `path`."""
    name: str
    path: str
    routes: dict
    # The bytes of a file, or the hashes of a film's pictures; None if no result is right.
    right: object
    # The gate at which the first attempt is killed; `later` are the routes of the second.
    killed_at: str | None = None
    later: dict = dataclasses.field(default_factory=dict)

    @property
    def is_stream(self):
        return not isinstance(self.right, bytes) and self.path.endswith((".m3u8", ".mpd"))

    def is_right(self, result):
        """Returns whether a finished file has the right content."""
        if self.right is None or result is None or not result.is_file():
            return False
        if isinstance(self.right, bytes):
            return result.read_bytes() == self.right
        try:
            return picture_hashes(result) == self.right
        except (AssertionError, subprocess.SubprocessError):
            return False
