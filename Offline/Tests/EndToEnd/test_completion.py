# SPDX-License-Identifier: Apache-2.0
"""The completions of a shell and the manual page."""

import subprocess


def completed(program, *words):
    """Returns the completions of the last word in bash."""
    script = program.run("completion", "bash").out + (
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _offline; printf "%s\\n" "${COMPREPLY[@]}"')
    run = subprocess.run(["bash", "-euc", script, "bash", "offline", *words],
                         capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_bash_completes_commands_and_options(program):
    assert completed(program, "re") == ["refresh", "resume", "retry", "rename", "remove", "reports"]
    assert completed(program, "get", "--co") == ["--cookies", "--cookies-from-browser"]
    assert completed(program, "--library", "x", "reports", "s") == ["show", "send"]
    assert completed(program, "--help", "inspect", "--q") == ["--quality"]
    assert completed(program, "follow", "--co") == ["--cookies", "--cookies-from-browser"]
    assert completed(program, "completion", "") [:3] == ["bash", "zsh", "fish"]


def test_the_help_of_a_command_explains_its_options(program):
    inspect = program.run("help", "inspect").out
    for option in ("--quality", "--audio", "--subtitles", "--live", "--header", "--cookies", "--json"):
        assert f"\n{option} " in inspect
    assert "\n--with-file  " in program.run("help", "remove").out
    assert "\n--port NUMBER  " in program.run("help", "serve").out


def test_the_manual_page_is_well_formed(program):
    page = program.run("manual").out
    run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True,
                         text=True, check=True)
    assert run.stderr == ""
    shown = subprocess.run(["man", "-l", "-"], input=page, capture_output=True, text=True,
                           check=True).stdout
    assert "offline rename NUMBER TITLE" in shown
    assert "the file only with this checksum" in " ".join(shown.split())


def test_an_unknown_shell_is_refused(program):
    result = program.run("completion", "tcsh")
    assert result.code == 2 and "bash|zsh|fish" in result.err
