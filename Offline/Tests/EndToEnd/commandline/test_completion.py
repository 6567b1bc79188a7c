# SPDX-License-Identifier: Apache-2.0
"""The completions of a shell, the help of each command and the manual page."""

import re
import subprocess


def completed(program, *words):
    """Returns the completions of the last word in bash, in the form that the shell would insert."""
    script = program.run("completion", "bash").out + (
        'words=("$@"); COMP_WORDS=(offline "${words[@]:1}"); COMP_CWORD=$(($# - 1))\n'
        '_offline "$1"; printf "%s\\n" "${COMPREPLY[@]}"')
    run = subprocess.run(["bash", "-euc", script, "bash", program.binary, *words],
                         capture_output=True, text=True, check=True, env=program.environment)
    return run.stdout.splitlines()


def test_bash_completes_commands_options_and_values(program):
    assert completed(program, "re") == ["refresh", "resume", "retry", "rename", "remove", "reports"]
    assert completed(program, "get", "--co") == ["--cookies", "--cookies-from-browser"]
    assert completed(program, "--library", "x", "reports", "s") == ["show", "send"]
    assert completed(program, "get", "--quality", "=", "a") == ["audio"]
    assert completed(program, "settings", "notify", "") == ["all", "failures"]
    # If nothing is offered, bash completes files.
    assert completed(program, "import", "") == [""]


def test_bash_completes_the_numbers_and_names_of_the_library(program, origin):
    library = ("--library", program.library)
    assert completed(program, *library, "show", "") == [""]
    origin.serve({"/a": {"text": "a"}, "/b": {"text": "b"}})
    assert program.get(origin.url("/a")).code == program.get(origin.url("/b")).code == 0
    assert program.run("collections", "add", "On a $train", "1").code == 0
    assert sorted(completed(program, *library, "show", "")) == ["1", "2"]
    assert completed(program, *library, "remove", "1", "2") == ["2"]
    assert completed(program, *library, "list", "--collection", "") == ["On\\ a\\ \\$train"]
    noted = subprocess.run([program.binary, "completion", "fish", "--", *library, "open", "1"],
                           capture_output=True, text=True, check=True, env=program.environment)
    assert re.fullmatch(r"1\t\S.*\n", noted.stdout)


def helps(program):
    """Returns the help of each command."""
    overview = program.run("help").out
    names = dict.fromkeys(re.findall(r"^  ([a-z]+) .*[.]$", overview, re.M))
    assert len(names) > 25
    return {name: program.run("help", name).out for name in names}


def test_the_help_of_a_command_explains_its_options(program):
    found = helps(program)
    for option in ("quality", "audio", "subtitles", "live", "header", "cookies", "json"):
        assert f"\n  --{option} " in found["inspect"]
    assert "\n  --with-file  " in found["remove"]
    assert "\n  --port NUMBER  " in found["serve"]
    for name, text in found.items():
        assert text.startswith(f"offline {name}")
        assert max(map(len, text.splitlines())) <= 80
        assert program.run(name, "--help").out == text


def test_the_manual_page_is_well_formed(program):
    page = program.run("manual").out
    run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True,
                         text=True, check=True)
    assert run.stderr == ""
    shown = subprocess.run(["man", "-l", "-"], input=page, capture_output=True, text=True,
                           check=True).stdout
    assert "offline rename NUMBER TITLE" in shown
    assert "the file only with this checksum" in " ".join(shown.split())
    for option in re.findall(r"^  (-{1,2}[a-z-]+)", "\n".join(helps(program).values()), re.M):
        assert option in shown


def test_an_unknown_shell_is_refused(program):
    result = program.run("completion", "tcsh")
    assert result.code == 2 and "bash, zsh or fish" in result.err
