# SPDX-License-Identifier: Apache-2.0
"""A live stream of a test origin, which advances only by commands of the test."""

import pathlib

from harness import registry
from harness.waiting import wait_until


class LiveStream:
    """A playlist beside the segments of a folder with a playlist that has ended."""

    def __init__(self, origin, folder, path="/live/", source="stream.m3u8", name="live.m3u8"):
        self.origin, self.path, self.name = origin, path, name
        lines = (pathlib.Path(folder) / source).read_text().splitlines()
        self.head = [line for line in lines if line.startswith("#EXT-X-MAP")]
        self.entries = [(lines[index - 1], line) for index, line in enumerate(lines)
                        if line and not line.startswith("#")]
        origin.serve({path: {"directory": str(folder)}})

    @property
    def address(self):
        return self.origin.url(self.path + self.name)

    def segment(self, number):
        return self.origin.url(self.path + self.entries[number][1])

    def text(self, numbers, ended=False, sequence=None, tags=None, head=()):
        """Returns a playlist with these segments and with the lines `tags` before some segments."""
        numbers = list(numbers)
        sequence = numbers[0] if sequence is None and numbers else sequence or 0
        lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:1",
                 f"#EXT-X-MEDIA-SEQUENCE:{sequence}", *head, *self.head]
        for number in numbers:
            lines += [*(tags or {}).get(number, []), *self.entries[number]]
        return "\n".join(lines + ["#EXT-X-ENDLIST"] * ended) + "\n"

    def publish(self, numbers, **options):
        """Serves a playlist from now on."""
        self.serve(self.text(numbers, **options))

    def serve(self, text, **options):
        self.origin.serve({self.path + self.name: {"text": text, **options}})

    def wait_for(self, program, numbers):
        """Waits until the program has recorded these segments."""
        wanted = {self.segment(number) for number in numbers}
        wait_until(lambda: wanted <= registry.snapshot(program.library).done, program.root,
                   f"{sorted(wanted)} were not recorded")
