# SPDX-License-Identifier: Apache-2.0
"""Copies of finished files in a folder of the user, with `get -o DIR` (O11 and O18)."""

import os
import pathlib
import subprocess

import pytest

from harness.disk import SmallDisk
from harness.program import finish
from harness.server import Server


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "For the train"
    path.mkdir()
    return path


def names(folder):
    return sorted(os.listdir(folder))


def serve(origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    return origin.url("/film.mp4")


def test_o18_a_file_is_copied_once_with_its_subtitles(program, origin, samples, folder):
    address = serve(origin, samples)
    result = program.get(address, "-o", folder)
    assert (result.code, result.out.strip()) == (0, str(folder / "film.mp4")), result.err
    assert (folder / "film.mp4").read_bytes() == samples.film.read_bytes()
    (program.library / "film.en.vtt").write_text("WEBVTT\n")
    again = program.get(address, "-o", f"{folder}/")
    assert (again.code, again.out) == (0, result.out), again.err
    assert names(folder) == ["film.en.vtt", "film.mp4"]
    assert program.files() == ["film.en.vtt", "film.mp4"]
    assert len(origin.fetched()) == 1


def test_o11_a_copy_replaces_no_file(program, origin, samples, folder):
    (folder / "film.mp4").write_text("mine")
    (folder / "film (2).mp4").symlink_to("/etc/passwd")
    address = serve(origin, samples)
    for _ in range(2):
        result = program.get(address, "-o", folder)
        assert (result.code, result.out.strip()) == (0, str(folder / "film (3).mp4")), result.err
    assert names(folder) == ["film (2).mp4", "film (3).mp4", "film.mp4"]
    assert (folder / "film.mp4").read_text() == "mine"


@pytest.mark.parametrize("name", ["missing", "a-file"])
def test_a_folder_that_does_not_exist_is_refused_before_a_request(name, program, origin, samples, folder):
    (folder / "a-file").write_text("")
    result = program.get(serve(origin, samples), "-o", folder / name)
    assert result.code == 2 and not result.out
    assert "Create it, or use -o with another one." in result.err
    assert not origin.settled_log()


def test_a_folder_without_space_keeps_the_file_in_the_library(program, origin, samples, tmp_path):
    with SmallDisk(tmp_path / "small", "1m") as disk:
        result = program.run("get", serve(origin, samples), "--allow-private", "-o", tmp_path / "small",
                             prefix=disk.prefix)
        assert names(disk.view) == []
    assert result.code == 1 and not result.out
    assert "No space left on device" in result.err
    assert f"It is complete in your library: {program.library / 'film.mp4'}" in result.err
    assert program.item()["state"] == "ready"


def test_beside_a_server_the_command_waits_for_the_copy(program, origin, samples, folder):
    address = serve(origin, samples)
    Server(program, "--allow-private")
    result = program.get(address, "-o", folder)
    assert (result.code, result.out.strip()) == (0, str(folder / "film.mp4")), result.err
    assert names(folder) == ["film.mp4"]


def test_the_rest_of_a_killed_copy_is_removed_and_that_of_a_running_one_stays(
        program, origin, samples, folder):
    ended = subprocess.Popen(["true"])
    ended.wait()
    (folder / f".film.mp4.{ended.pid}.part").write_text("a part")
    running = f".film.mp4.{os.getpid()}.part"
    (folder / running).write_text("a part")
    assert program.get(serve(origin, samples), "-o", folder).code == 0
    assert names(folder) == [running, "film.mp4"]


def test_two_libraries_copy_different_files_of_one_name_at_once(programs, origin, folder):
    origin.serve({f"/{name}/data.bin": {"size": 3_000_000, "seed": seed}
                  for seed, name in enumerate("ab")})
    running = [programs(name).start_get(origin.url(f"/{name}/data.bin"), "-o", folder) for name in "ab"]
    copies = [finish(process) for process in running]
    assert [copy.code for copy in copies] == [0, 0], copies
    assert names(folder) == ["data (2).bin", "data.bin"]
    for copy, name in zip(copies, "ab"):
        kept = folder.parent / name / "library" / "data.bin"
        assert pathlib.Path(copy.out.strip()).read_bytes() == kept.read_bytes()
