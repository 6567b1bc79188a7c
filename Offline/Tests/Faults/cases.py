# SPDX-License-Identifier: Apache-2.0
"""One fault of a server, and the only result that counts as a success."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

from harness.media import picture_hashes

# Patterns for the words of a message that names the fault, by the first word of a case's name. Each
# program uses different words: yt-dlp says fragments, streamlink says skipped segments, and ffmpeg
# prints addresses.
WORDS = {
    "segment": r"segment|fragment|\bpart ?5|missing",
    "playlist": r"playlist|m3u8|segment|fragment",
    "key": r"\bkey\b|decrypt",
    "DASH": r"segment|fragment|chunk",
    "live": r"\bgap|segment|fragment|expired|missing",
    "page": r"\bcut\b|incomplete|\bended\b|bytes",
    "feed": r"\bcut\b|incomplete|\bended\b|bytes",
    "contents": r"missing|\bhas (pictures|sound)\b|cannot show|error while decoding",
}

# The address that stands for the server in a route.
ORIGIN = "http://origin.invalid"


@dataclasses.dataclass
class Case:
    """A fault: the routes of a server, and the right content for `path`."""
    name: str
    path: str
    routes: dict
    # The bytes of a file, the hashes of a film's pictures, or None if no result is right.
    right: object
    # The gate at which the first attempt is killed. The second attempt gets the routes in `later`.
    killed_at: str | None = None
    later: dict = dataclasses.field(default_factory=dict)
    # The number of bytes on the disk at which the first attempt is killed.
    part: int = 1
    # Whether the second attempt can fetch only the rest.
    resumes: bool = True
    # The gate at which `later` is served while the program goes on.
    changes_at: str | None = None
    # Whether a success must also name the fault.
    is_named: bool = False
    # The path of the entry, for a feed.
    entry: str | None = None

    @property
    def kind(self):
        if self.entry:
            return "feed"
        if self.changes_at:
            return "live"
        suffix = self.path.rpartition(".")[2]
        return {"m3u8": "stream", "mpd": "DASH", "html": "page"}.get(suffix, "file")

    def routes_of(self, origin):
        """Returns the routes with the address of a server."""
        return json.loads(json.dumps(self.routes).replace(ORIGIN, origin.base))

    @property
    def expected(self):
        """The right outcomes for `offline`."""
        if self.is_named:
            return {"named"}
        return {"failed", "named"} if self.right is None else {"whole"}

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

    def is_named_in(self, message):
        """Returns whether a message names the fault."""
        first = re.match(r"\w+", self.name)[0]
        return re.search(WORDS.get(first, first), message, re.IGNORECASE) is not None
