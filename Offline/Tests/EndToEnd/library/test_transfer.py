# SPDX-License-Identifier: Apache-2.0
"""The export, the import and the verification of a library."""

import collections
import json
import os
import shutil
import sqlite3
import time

import pytest

from harness.program import finish
from harness.server import Server


def fetch(program, origin, samples):
    """Downloads a film and a file with a secret header."""
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/data.bin": {"file": str(samples.file)}})
    assert program.get(origin.url("/film.mp4")).code == 0
    result = program.get(origin.url("/data.bin"), "--header", "X-Key: 5ecret")
    assert result.code == 0, result.err


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_o29_a_library_moves_with_its_files_and_is_verified(program, programs, origin, samples):
    fetch(program, origin, samples)
    first = program.run("verify")
    assert first.code == 0 and "2 recorded for the first time" in first.out, first.out + first.err
    text = program.root / "library.jsonl"
    exported = program.run("export", text)
    assert exported.code == 0 and "left out" in exported.err, exported.err
    assert "5ecret" not in text.read_text() and text.stat().st_mode & 0o077 == 0
    assert program.run("export", "-").out.count("\n") == 4
    other = programs("other")
    other.library.mkdir(parents=True)
    for name in program.files():
        shutil.copy(program.library / name, other.library)
    imported = other.run("import", text)
    assert imported.code == 0 and "2 ready" in imported.out, imported.out + imported.err
    assert [item["title"] for item in other.items()] == [item["title"] for item in program.items()]
    assert "2 known already" in other.run("import", text).out
    # The checksum of the first library finds the damage in the copy of the second library.
    film = other.media(next(item for item in other.items() if item["title"] == "film"))
    content = bytearray(film.read_bytes())
    content[len(content) // 2] ^= 1
    film.write_bytes(content)
    damaged = other.run("verify")
    assert damaged.code == 1 and "1 intact, 1 not confirmed" in damaged.out, damaged.out
    assert f"offline get --again '{origin.url('/film.mp4')}'" in damaged.out
    assert film.read_bytes() == content


def test_o29_export_import_and_verify_work_through_the_server(program, programs, origin, samples):
    fetch(program, origin, samples)
    server = Server(program)
    _, headers, content = server.request("GET", "/api/export")
    assert headers["Content-Type"] == "application/x-ndjson" and content.count(b"\n") == 4
    assert list(program.data.glob("export-*")) == []
    assert program.run("verify", "1").code == 0
    report = json.loads(program.run("verify", "--json").out)
    assert (report["intact"], report["recorded"], report["isRunning"]) == (1, 1, False)
    assert server.call("GET", "/api/verify") == report
    assert server.request("POST", "/api/verify", {"ids": [9]})[0] == 404
    other = Server(programs("other"))
    report = other.call("POST", "/api/import", content)
    assert (report["missing"], report["withoutPermission"]) == (2, 2)
    # The export does not permit a private address, but the user may permit the address later.
    assert not any(item["allowsPrivateAddresses"] for item in other.items())
    report = other.call("POST", "/api/import?allowPrivate=true", content)
    assert (report["known"], report["withoutPermission"]) == (2, 0)
    states = {item["state"] for item in other.items()}
    assert states == {"missing"}
    status, _, body = other.request("POST", "/api/import", content[:-20])
    assert status == 400 and json.loads(body)["error"]["code"] == "invalidImport"
    # Without a file, the item is downloaded again on request.
    number = next(item["id"] for item in other.items() if item["title"] == "film")
    assert other.program.run("resume", number).code == 0
    other.wait_for_items(lambda items: items and items[number]["state"] == "ready")


def test_o29_a_followed_feed_moves_and_fetches_nothing_twice(program, programs, origin):
    def parts(*numbers):
        return {"text": "<rss version='2.0'><channel><title>Pod</title>" + "".join(
            f"<item><title>Part {number}</title><guid>{number}</guid>"
            f"<enclosure url='/{number}.bin' type='audio/mpeg'/></item>" for number in numbers) + "</channel></rss>"}

    origin.serve({"/feed": [parts(2, 1), parts(3, 2, 1)],
                  **{f"/{number}.bin": {"size": 2_000, "seed": number} for number in range(1, 4)}})
    server = Server(program, "--allow-private")
    server.call("POST", "/api/feeds", {"address": origin.url("/feed"), "keep": 2})
    server.wait_for_items(lambda items: sorted(item["state"] for item in items.values()) == ["ready"] * 2)
    assert program.run("settings", "limit", "50M").code == 0
    text = program.root / "library.jsonl"
    exported = program.run("export", text)
    assert "2 items and 1 feed" in exported.err, exported.err
    server.kill()
    before = origin.newest_connection()
    other = programs("other")
    other.library.mkdir(parents=True)
    for name in program.files():
        # The copy keeps the times, because a file with a time after the download counts as the
        # user's file.
        shutil.copy2(program.library / name, other.library)
    second = Server(other, "--allow-private")
    imported = other.run("import", text, "--allow-private")
    assert imported.code == 0 and "2 ready" in imported.out, imported.out + imported.err
    assert "Following 1 feed of the text." in imported.out and "Took 1 setting." in imported.out
    second.wait_for_items(lambda items: "Part 3" in {item["title"] for item in items.values()})
    # The new entry takes the place of the oldest entry, as in the first library.
    second.wait_for_items(
        lambda items: sorted(item["title"] for item in items.values() if item["state"] == "ready")
        == ["Part 2", "Part 3"])
    assert [entry["path"] for entry in origin.fetched(after=before)] == ["/feed", "/3.bin"]
    assert other.run("settings", "limit").out == "50M\n"
    again = other.run("import", text, "--allow-private")
    assert "1 of them already" in again.out, again.out


def make_text(path, count):
    head = {"format": "offline-library", "version": 1, "exportedAt": "2026-01-01T00:00:00Z"}
    items = [{"address": f"https://media.example/{n}", "quality": "best", "title": f"Title {n}",
              "state": "ready", "fileName": f"{n}.mp4", "size": 5, "createdAt": "2026-01-01T00:00:00Z"}
             for n in range(count)]
    path.write_text("".join(json.dumps(each) + "\n" for each in [head, *items, {"items": count}]))
    return path


def traced(trace, *more):
    """The command that traces the writes of a program."""
    return ["strace", "-f", "-o", trace, "-e", "trace=pwrite64", *more]


def test_o29_a_killed_import_has_added_all_items_or_none(program, programs, rng):
    text = make_text(program.root / "text", 1_000)
    for each in (program, other := programs("counted")):
        assert each.run("refresh").code == 0
    trace = program.root / "trace"
    assert other.run("import", text, prefix=traced(trace)).code == 0
    # One thread changes the registry.
    [(_, writes)] = collections.Counter(
        line.split()[0] for line in trace.read_text().splitlines() if "pwrite64(" in line).most_common(1)
    counts = []
    # Two of the kills come near the end, to hit the commit.
    for first, last in [(1, writes // 2)] * 2 + [(writes * 98 // 100, writes)] * 2:
        number = rng.randrange(first, last)
        inject = f"inject=pwrite64:signal=SIGKILL:when={number}"
        program.run("import", text, prefix=traced("/dev/null", "-e", inject))
        with sqlite3.connect(program.data / "registry.sqlite") as connection:
            [(count,)] = connection.execute("SELECT COUNT(*) FROM items").fetchall()
        counts.append(count)
        print(f"killed at write {number} of {writes}: {count} items")
    assert set(counts) <= {0, 1_000} and counts[0] == 0, counts
    result = program.run("import", text)
    assert result.code == 0, result.err
    assert len(program.items()) == 1_000


def test_o29_the_text_of_an_import_is_checked(program):
    text = program.root / "text"
    text.write_text("#EXTM3U\n")
    refused = program.run("import", text)
    assert refused.code == 1 and "Line 1 of the import" in refused.err, refused.err
    missing = program.run("import", program.root / "nothing")
    assert missing.code == 1 and "cannot be read" in missing.err
    assert program.run("export", "/nowhere/text").code == 1
    assert program.run("export").code == 2


def test_a_verification_can_be_interrupted(program):
    assert program.run("refresh").code == 0
    size = 1 << 40
    film = program.library / "large.bin"
    with film.open("wb") as file:
        file.truncate(size)
    with sqlite3.connect(program.data / "registry.sqlite") as connection:
        connection.execute(
            """INSERT INTO items (source, quality, allows_private, title, kind, state, file_name, size,
               created_at) VALUES ('https://a.example/', 'best', 0, 'large', 'file', 'ready', 'large.bin', ?, 0)""",
            [size])
    connection.close()
    server = Server(program)
    process = program.start("verify")
    deadline = time.monotonic() + 600
    while not server.call("GET", "/api/verify")["isRunning"]:
        assert time.monotonic() < deadline, "no verification runs"
    second = program.run("verify")
    assert second.code == 1 and "A verification is running" in second.err, second.err
    process.send_signal(2)
    stopped = finish(process)
    assert stopped.code == 130 and "Stopped after 0 of 1 files" in stopped.out, stopped.out + stopped.err
    assert server.call("GET", "/api/verify")["isStopped"]


def test_o29_an_export_follows_links_and_fills_pipes(program, tmp_path):
    program.run("refresh")
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_text("an earlier export")
    link.symlink_to(target)
    assert program.run("export", link).code == 0
    assert link.is_symlink() and lines(target)[-1]["items"] == 0
    os.mkfifo(pipe)
    process = program.start("export", pipe)
    text = pipe.read_text()
    assert finish(process).code == 0
    assert json.loads(text.splitlines()[-1])["items"] == 0 and pipe.is_fifo()


@pytest.mark.parametrize("command", [["list", "--json"], ["help"], ["settings"]])
def test_a_result_that_cannot_be_written_is_a_failure(command, program):
    # The command `list` needs a library.
    assert program.run("settings").code == 0
    with open("/dev/full", "w") as full:
        result = program.run(*command, stdout=full)
    assert result.code == 1
    assert "The output could not be written: No space left on device." in result.err
