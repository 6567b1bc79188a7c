# SPDX-License-Identifier: Apache-2.0
"""Imports of films, which the server checks before making pictures in the background."""

import os
import shutil
import signal

import pytest

from harness.program import finish
from harness.server import Server
from harness.waiting import wait_until


@pytest.fixture
def tools(program, tmp_path):
    """The folder in which the program looks for ffmpeg first."""
    folder = tmp_path / "tools"
    folder.mkdir()
    program.added["PATH"] = f"{folder}:{os.environ['PATH']}"
    return folder


@pytest.fixture
def films(program, samples):
    """The library's folder with three films that have no item."""
    program.library.mkdir(parents=True)
    for name in ("a", "b", "c"):
        shutil.copy(samples.film, program.library / f"{name}.mp4")


def write(tools, script, name="ffmpeg"):
    path = tools / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def pictures(program):
    return sorted(path.name for path in (program.data / "pictures").glob("*.jpg"))


def test_o30_the_server_makes_the_pictures_of_an_import_at_the_lowest_priority(program, films, tools, tmp_path):
    used = tmp_path / "used"
    real = shutil.which("ffmpeg")
    write(tools, f'cut -d " " -f 19 /proc/$$/stat >> {used}\nexec {real} "$@"')
    imported = program.run("refresh", "--import")
    assert imported.code == 0 and "`offline serve` makes the pictures" in imported.out
    assert not used.exists() and pictures(program) == []
    assert [item["state"] for item in program.items()] == ["ready"] * 3
    server = Server(program)
    wait_until(lambda: len(pictures(program)) == 3, program.data, process=server.process, seconds=700)
    assert set(used.read_text().split()) == {"19"}
    server.process.send_signal(signal.SIGTERM)
    assert finish(server.process).code == 0
    assert all(item["hasPicture"] for item in program.items())


def test_o30_a_stop_interrupts_the_pictures_and_the_next_start_makes_them(program, films, tools, tmp_path):
    begun = tmp_path / "begun"
    begun.mkdir()
    write(tools, f"touch {begun}/$$\nexec sleep 600")
    assert program.run("refresh", "--import").code == 0
    server = Server(program)
    wait_until(lambda: any(begun.iterdir()), begun, process=server.process, seconds=700)
    server.process.send_signal(signal.SIGTERM)
    # The script of ffmpeg is then asleep, and only an interruption ends the script in time.
    assert finish(server.process).code == 0
    assert not any(item["hasPicture"] for item in program.items())
    (tools / "ffmpeg").unlink()
    server.start()
    wait_until(lambda: len(pictures(program)) == 3, program.data, process=server.process, seconds=700)


def states(program):
    return {item["state"] for item in program.items()}


def test_o4_films_of_a_large_import_play_after_their_checks_also_after_a_kill(program, tools, samples, tmp_path):
    program.library.mkdir(parents=True)
    for number in range(101):
        shutil.copy(samples.film, program.library / f"{number}.mp4")
    begun = tmp_path / "begun"
    begun.mkdir()
    write(tools, f"touch {begun}/$$\nexec sleep 600", "ffprobe")
    imported = program.run("refresh", "--import")
    assert imported.code == 0 and "101 files are listed and still to be checked" in imported.out
    assert not any(begun.iterdir()) and states(program) == {"unverified"}
    opened = program.run("open", "1")
    assert opened.code == 1 and "offline retry 1" in opened.err
    server = Server(program)
    wait_until(lambda: any(begun.iterdir()), begun, process=server.process, seconds=700)
    server.process.kill()
    server.process.wait()
    assert states(program) == {"unverified"}
    (tools / "ffprobe").unlink()
    server.start()
    wait_until(lambda: states(program) == {"ready"}, program.data, process=server.process, seconds=700)
