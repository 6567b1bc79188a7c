# SPDX-License-Identifier: Apache-2.0
"""Reports that lie in a library's folder as if the program had made them."""

import datetime
import json
import uuid

SPOOL = "reports/spool"
HOSTILE = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"

LIBC = {"isSystem": True, "isInlined": False}
OWN = {"isSystem": False, "isInlined": False}


def moment(before):
    """So many seconds ago; what is too old is deleted."""
    now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=before)
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def crash(age=100, **parts):
    """A crash as a report has it; `parts` stand in the place of its own."""
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
    crumbs = [(8.75, "message", "DownloadQueued item 3", "OfflineLibrary/ItemJournal.swift:119"),
              (0.9, "message", "ItemChanged item 3 fetching", "OfflineLibrary/ItemJournal.swift:127"),
              (0.012, "log", "the basket is empty", None)]
    return {
        "id": str(uuid.uuid4()), "date": moment(age), "level": "fatal",
        "application": "offline", "release": "offline@1.0.0", "environment": "production",
        "errors": [], "context": {}, "values": {"download_queue_size": 1, "video_count": 12},
        "breadcrumbs": [{"date": moment(age + before), "origin": origin, "text": text, "location": place}
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
    """Puts a report into the folder; its name sorts by its date, as those of the program do."""
    folder = library / SPOOL
    folder.mkdir(parents=True, exist_ok=True)
    kind = "crash" if report.get("crash") else "report"
    date = datetime.datetime.fromisoformat(report["date"].replace("Z", "+00:00"))
    milliseconds = int(date.timestamp() * 1_000)
    path = folder / f"{milliseconds:014}-00000001-{report['id']}.{kind}.json"
    path.write_text(json.dumps(report))
    return path


def stored(library):
    """All that lies in the folder, as text."""
    files = [path for path in (library / "reports").rglob("*") if path.is_file()]
    return {path: path.read_bytes().decode(errors="replace") for path in files}
