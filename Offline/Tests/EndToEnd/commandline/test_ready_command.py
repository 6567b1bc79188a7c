# SPDX-License-Identifier: Apache-2.0
"""The command for ready items: `offline serve --on-ready PROGRAM`."""

import json
import os
import signal

from harness.server import Server
from harness.waiting import wait_until


def script(program, body):
    """Writes a program and returns the path."""
    path = program.home / "ready program"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_it_runs_without_a_shell_with_the_facts_in_its_environment(program, origin):
    origin.serve({"/a;b$(id).txt": {"text": "text"}})
    output = program.home / "output"
    ready = script(program, f'printf "%s|" "$@" "$OFFLINE_ID" "$OFFLINE_FILE" "$OFFLINE_TITLE" '
                   f'"$OFFLINE_ADDRESS" > "{output}.new"; mv "{output}.new" "{output}"')
    server = Server(program, "--on-ready", ready, "--on-ready-argument", "$HOME `id`",
                    "--on-ready-argument=--flag")
    item = server.download(origin.url("/a;b$(id).txt"))
    wait_until(output.exists, program.home)
    found = output.read_text().split("|")
    item = server.item(item["id"])
    assert found[:2] == ["$HOME `id`", "--flag"]
    assert found[2:6] == [str(item["id"]), str(program.media(item)), item["title"], item["address"]]
    server.kill()


def test_its_failure_is_a_note_and_a_hanging_one_blocks_no_download(program, origin):
    origin.serve({f"/{number}.txt": {"text": str(number)} for number in range(3)})
    ready = script(program, 'case "$OFFLINE_FILE" in *0.txt) exit 3;; *) sleep 1000;; esac')
    server = Server(program, "--on-ready", ready)
    number = server.download(origin.url("/0.txt"))["id"]
    items = server.wait_for_items(lambda items: items and items[number].get("note"))
    assert "The command ready program failed for this item: it exited with code 3." in items[number]["note"]
    numbers = [server.download(origin.url(f"/{number}.txt"))["id"] for number in (1, 2)]
    server.wait_for_items(lambda items: items and all(
        items[number]["state"] == "ready" for number in numbers))
    # The end of the server ends the command.
    server.process.terminate()
    assert server.process.wait(600) == 0


def test_a_program_in_its_background_holds_up_no_other(program, origin):
    origin.serve({f"/{number}.txt": {"text": str(number)} for number in range(2)})
    output = program.home / "output"
    ready = script(program, f'sleep 1000 & echo "$OFFLINE_ID $!" >> "{output}"')
    server = Server(program, "--on-ready", ready)
    numbers = [server.download(origin.url(f"/{number}.txt"))["id"] for number in range(2)]
    wait_until(lambda: output.exists() and len(output.read_text().splitlines()) == 2, program.home)
    started = [tuple(map(int, line.split())) for line in output.read_text().splitlines()]
    assert sorted(number for number, _ in started) == sorted(numbers)
    server.kill()
    for _, process in started:
        os.kill(process, signal.SIGKILL)


def test_it_cannot_be_set_over_http(program):
    server = Server(program)
    for name in ("on-ready", "onReady"):
        status, _, content = server.request("PATCH", "/api/settings", {name: "/bin/sh"})
        assert status == 400 and json.loads(content)["error"]["code"] == "invalidSetting"
    server.kill()
    assert program.run("settings", "on-ready", "/bin/sh").code == 2


def test_a_program_that_cannot_run_is_refused_at_the_start(program):
    for name in ("/does/not/exist", "no-such-program-here", str(program.home)):
        result = program.run("serve", "--no-browser", "--on-ready", name)
        assert result.code == 2 and "no program that can be run" in result.err, result
