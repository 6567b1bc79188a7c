# SPDX-License-Identifier: Apache-2.0
"""`tidings-symbolicate`: a report of a stripped program, and the unstripped program."""

import json
import subprocess

import pytest

from harness.program import symbolicate_binary


@pytest.fixture
def stripped(program, tmp_path):
    """`offline` without symbols, as in a distribution, beside the page."""
    whole = program.binary
    program.added["OFFLINE_DIAGNOSTICS"] = "on"
    program.binary = tmp_path / "offline"
    subprocess.run(["strip", "-o", program.binary, whole], check=True)
    for resources in whole.parent.glob("*.resources"):
        (tmp_path / resources.name).symlink_to(resources)
    program.whole = whole
    return program


def crash_report(program):
    """Crashes the program and returns the path of the report."""
    assert program.run("diagnostics", "crash", "--yes").code < 0
    assert len(json.loads(program.run("reports", "--json").out)["reports"]) == 1
    [path] = (program.data / "reports" / "spool").glob("*.crash.json")
    return path


def symbolicate(*arguments):
    return subprocess.run(
        [symbolicate_binary(), *map(str, arguments)], capture_output=True, text=True, timeout=120)


def test_the_functions_of_a_stripped_program_are_found_in_the_unstripped_one(stripped):
    report = crash_report(stripped)
    frames = json.loads(report.read_text())["frames"]
    assert frames and not any("line" in frame for frame in frames), "it was not stripped"
    found = symbolicate(report, "--binary", stripped.whole)
    assert found.returncode == 0, found.stderr
    assert "triggerFatalError" in found.stdout and "CrashWay.swift:31" in found.stdout
    as_json = symbolicate(report, "--binary", stripped.whole, "--json")
    lines = [frame.get("line") for frame in json.loads(as_json.stdout)["frames"]
             if "triggerFatalError" in frame.get("function", "")]
    assert lines[0] == 31


def test_another_build_of_the_program_is_refused(stripped):
    report = crash_report(stripped)
    refused = symbolicate(report, "--binary", symbolicate_binary())
    assert refused.returncode == 1 and "build" in refused.stderr, refused
    nothing = symbolicate(report, "--binary", stripped.root / "none")
    assert nothing.returncode == 1 and "none does not exist or cannot be read" in nothing.stderr, nothing


def test_a_file_without_a_report_is_refused(stripped, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"application": "offline"}')
    refused = symbolicate(other, "--binary", stripped.whole)
    assert refused.returncode == 1 and "spool/" in refused.stderr, refused
    folder = symbolicate(tmp_path, "--binary", stripped.whole)
    assert folder.returncode == 1 and "spool/" in folder.stderr, folder
