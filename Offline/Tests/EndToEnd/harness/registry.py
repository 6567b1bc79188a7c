# SPDX-License-Identifier: Apache-2.0
"""Reads the registry between a kill and the next start without a change, and adds items."""

import dataclasses
import pathlib
import shutil
import sqlite3
import tempfile

WORDS = ["film", "river", "Café", "日本語の映画", "lesson"]


@dataclasses.dataclass
class Segment:
    file: str
    address: str
    size: int | None


@dataclasses.dataclass
class Snapshot:
    """The state of the only item, from the registry and the work folder."""
    state: str | None
    segments: list
    partial: int
    file_name: str | None
    synced: int

    @property
    def done(self):
        return {segment.address for segment in self.segments if segment.size is not None}

    @property
    def is_unfinished(self):
        return self.state is not None and self.state != "ready"


def snapshot(library, item=None):
    """Reads a copy, because opening the original would recover the log in place of the program."""
    library = pathlib.Path(library) / ".offline"
    nothing = Snapshot(None, [], 0, None, 0)
    if not (library / "registry.sqlite").exists():
        return nothing
    with tempfile.TemporaryDirectory() as folder:
        for name in ("registry.sqlite", "registry.sqlite-wal"):
            if (library / name).exists():
                shutil.copy(library / name, folder)
        connection = sqlite3.connect(f"{folder}/registry.sqlite")
        try:
            return _read(connection, library, item) or nothing
        finally:
            connection.close()


def _read(connection, library, item):
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'items'").fetchone():
        return None
    rows = connection.execute(
        "SELECT id, state, file_name, synced_bytes FROM items WHERE ? IS NULL OR id = ?",
        (item, item)).fetchall()
    if not rows:
        return None
    assert len(rows) == 1, rows
    number, state, file_name, synced = rows[0]
    segments = connection.execute(
        "SELECT file_name, address, size FROM parts WHERE item = ? ORDER BY track, number", (number,))
    partial = library / "work" / str(number) / "partial"
    return Snapshot(
        state, [Segment(*row) for row in segments],
        partial.stat().st_size if partial.exists() else 0, file_name, synced)


def fill(program, count):
    """Adds ready items to the registry of a library, as finished downloads leave them."""
    if not program.data.exists():
        assert program.run("refresh").code == 0
    connection = sqlite3.connect(program.data / "registry.sqlite")
    with connection:
        connection.executemany(
            """INSERT INTO items (source, quality, allows_private, title, kind, state, file_name,
               size, media_type, created_at, ready_at)
               VALUES (?, 'best', 0, ?, 'file', 'ready', ?, 5, 'text/plain', 1700000000, 1700000001)""",
            [(f"https://media{n % 5}.example/{WORDS[n % 5]}/{n}.txt", f"{WORDS[n % 5]} {n}", f"file {n}.txt")
             for n in range(1, count + 1)])
    connection.close()
