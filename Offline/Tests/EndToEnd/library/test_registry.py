# SPDX-License-Identifier: Apache-2.0
"""Damaged registries, and registries of other versions of the program."""

import json
import sqlite3

import pytest

from harness.server import Events, Server
from harness.waiting import wait_until


@pytest.fixture
def program(program):
    """The program with recording on, because a debug build does not record by default."""
    program.added["OFFLINE_DIAGNOSTICS"] = "on"
    return program


@pytest.fixture
def registry(program, origin, samples):
    """The registry of a library with one film."""
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    assert program.get(origin.url("/film.mp4")).code == 0
    return program.data / "registry.sqlite"


def damage(registry):
    """Overwrites the pages of the items."""
    with sqlite3.connect(registry) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = registry.read_bytes()
    registry.write_bytes(content[:4096] + b"Z" * (len(content) - 4096))
    return registry.read_bytes()


def recorded_codes(program):
    """Returns the error codes of the reports, which name no path, with the newest first."""
    codes = []
    for summary in json.loads(program.run("reports", "--json").out)["reports"]:
        text = program.run("reports", "show", summary["id"], "--json").out
        assert str(program.library) not in text, text
        codes.append(json.loads(text)["errors"][0]["code"])
    return codes


def test_o28_a_damaged_registry_is_set_aside_and_the_files_are_imported(program, registry):
    damaged = damage(registry)
    listed = program.run("list")
    assert listed.code == 1
    assert "damaged" in listed.err and "offline refresh --import" in listed.err
    assert registry.read_bytes() == damaged
    imported = program.run("refresh", "--import")
    assert imported.code == 0, imported.err
    aside = list(program.data.glob("registry-damaged-*.sqlite"))
    assert len(aside) == 1 and aside[0].read_bytes() == damaged
    assert str(aside[0]) in imported.err and "offline refresh --import" in imported.err
    item = program.item()
    assert (item["id"], item["title"], item["state"]) == (2, "film", "ready")
    assert not item["hasPicture"] and round(item["duration"]) == 8
    assert "`offline serve` makes the pictures" in imported.out
    assert recorded_codes(program) == ["damaged", "damaged"]
    assert program.run("list").err == ""


def test_o28_the_server_tells_its_pages_that_the_registry_was_damaged(program, registry):
    damage(registry)
    server = Server(program)
    with Events(server) as events:
        name, hello = next(iter(events))
    assert name == "hello" and "registry-damaged-" in hello["damage"], hello
    assert server.items() == []
    report = server.call("POST", "/api/refresh", {"import": True})
    assert [each["id"] for each in report["imported"]] == [2]
    # The server writes reports in the background.
    wait_until(lambda: recorded_codes(program) == ["damaged"], program.root)


def test_o28_the_page_shows_the_damage_and_imports_the_files(browser, program, registry):
    damage(registry)
    server = Server(program)
    browser.open(server.address)
    browser.until_text("#damage", "registry-damaged-")
    browser.picture("damaged-registry")
    browser.click("#damage-refresh")
    browser.until_text("#ask", "1 file has no entry")
    browser.click("#ask-buttons button", "Import")
    browser.until_text("#ask", "1 file was imported")
    assert [item["title"] for item in server.items()] == ["film"]


@pytest.mark.parametrize("command", [
    ["list"], ["refresh"], ["remove", "1"], ["get", "http://127.0.0.1:9/", "--wait"],
    ["serve", "--no-browser"]])
def test_o28_a_newer_registry_is_refused(command, program, registry):
    with sqlite3.connect(registry) as connection:
        connection.execute("PRAGMA user_version = 999")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    newer = registry.read_bytes()
    result = program.run(*command)
    assert result.code == 1 and result.out == ""
    assert "newer version" in result.err
    assert "Install that version; nothing was changed." in result.err
    assert registry.read_bytes() == newer
    assert list(program.data.glob("registry-*")) == []
    assert recorded_codes(program) == ["newerVersion"]
