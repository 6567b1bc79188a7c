# SPDX-License-Identifier: Apache-2.0
"""Writes reports into a library's folder as if the program had recorded them."""

import contextlib
import datetime
import itertools
import json
import os
import pathlib
import uuid

SPOOL = "reports/spool"
HOSTILE = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"

LIBC = {"isSystem": True, "isInlined": False}
OWN = {"isSystem": False, "isInlined": False}
# Commands find a report by the first digits of its identifier.
NUMBERS = itertools.count(0x5E0F0001)


def moment(now, before):
    """Returns the time `before` seconds before `now`, which is recent enough to keep a report."""
    date = now - datetime.timedelta(seconds=before)
    return date.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def crash(age=100, **parts):
    """Returns the report of a crash with members replaced by `parts`."""
    # The clock is read once, so that the differences of the dates are exact.
    now = datetime.datetime.now(datetime.timezone.utc)
    frames = [
        {"address": 0x7f00000011, "kind": "counter", "function": "_assertionFailure(_:_:file:line:flags:)",
         "image": "/usr/lib/libswiftCore.so", **LIBC},
        {"address": 0x7f00000012, "kind": "scanned", "function": "Basket.count.getter",
         "file": "~/src/Basket.swift", "line": 12, "image": "offline", **OWN},
        {"address": 0x5500000013, "kind": "call", "function": "Basket.take(_:)",
         "file": "~/src/Basket.swift", "line": 31, "image": "offline", **OWN, "isInlined": True},
        {"address": 0x5500000014, "kind": "call", "function": "Shop.serve(_:)",
         "file": "~/src/Shop.swift", "line": 140, "image": "offline", **OWN},
        {"address": 0x7f00000015, "kind": "call", "function": "swift::runJobInEstablishedExecutorContext",
         "image": "/usr/lib/libswift_Concurrency.so", **LIBC},
        {"address": 0x7f00000016, "kind": "call", "function": "start_thread",
         "image": "/lib/x86_64-linux-gnu/libc.so.6", **LIBC},
    ]
    crumbs = [(8.75, "message", "DownloadQueued item 3", "OfflineDownloads/ItemJournal.swift:119"),
              (0.9, "message", "ItemChanged item 3 fetching", "OfflineDownloads/ItemJournal.swift:127"),
              (0.012, "log", "the basket is empty", None)]
    return {
        "id": str(uuid.UUID(int=next(NUMBERS) << 96)), "date": moment(now, age), "level": "fatal",
        "application": "offline", "release": "offline@1.0.0", "environment": "production",
        "errors": [], "context": {}, "values": {"download_queue_size": 1, "video_count": 12},
        "breadcrumbs": [{"date": moment(now, age + before), "origin": origin, "text": text, "location": place}
                        for before, origin, text, place in crumbs],
        "frames": frames,
        "images": [{"path": "offline", "buildID": "1f2e3d", "start": 0x5500000000, "end": 0x5500100000}],
        "crash": {"signal": "SIGILL", "number": 4, "code": 2, "thread": 4242, "threadName": "offline",
                  "reason": "Fatal error: Nothing is left in the basket", "registers": {"rip": 1},
                  "text": "Shop/Basket.swift:31: Fatal error: Nothing is left in the basket\n",
                  "isTruncated": False, "isRecovered": False},
        "machine": {"system": "Debian GNU/Linux 12", "kernel": "6.1.0", "architecture": "x86_64",
                    "locale": "en_US"},
        **parts,
    }


def put(library, report):
    """Writes a report into the folder with a name that sorts by date, as the program does."""
    folder = library / SPOOL
    folder.mkdir(parents=True, exist_ok=True)
    kind = "crash" if report.get("crash") else "report"
    date = datetime.datetime.fromisoformat(report["date"].replace("Z", "+00:00"))
    milliseconds = int(date.timestamp() * 1_000)
    path = folder / f"{milliseconds:014}-00000001-{report['id']}.{kind}.json"
    path.write_text(json.dumps(report))
    return path


def stored(library):
    """Returns the content of all files in the folder as strings."""
    found = {}
    for folder, _, names in os.walk(library / "reports"):
        for path in (pathlib.Path(folder, name) for name in names):
            # A running program removes and replaces files during this loop.
            with contextlib.suppress(FileNotFoundError):
                if path.is_file():
                    found[path] = path.read_bytes().decode(errors="replace")
    return found
