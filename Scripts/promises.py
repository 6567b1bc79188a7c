# SPDX-License-Identifier: Apache-2.0
"""Compares Documentation/Promises.md with the tests, and lists the tests in .build/promises.md.

    python3 Scripts/promises.py

A promise is a paragraph that starts with a number, such as `**M4**`. A test names a promise in the
prefix (`m4_cancelledHandlersAreNotCalled`, `test_o5_…`) or in the title (`"O15: …"`). The list has
the test files of each promise and, in parentheses, the number of the promise's tests in the file.
The command fails when a promise has no test, and when a test names a promise that does not exist.
"""

import collections
import pathlib
import re
import subprocess
import sys

DOCUMENT = pathlib.Path("Documentation/Promises.md")
README = pathlib.Path("README.md")
LIST = pathlib.Path(".build/promises.md")
PREFIX = re.compile(r"\b(?:func |def test_|_)([mnorsb])(\d+)_\w")
TITLE = re.compile(r"^\s*(?:@Test\(\s*)?\"([MNORSB])(\d+): ")
PROMISE = re.compile(r"^\*\*([MNORSB]\d+)\*\*")


def tests() -> dict[str, collections.Counter]:
    """Returns for each promise the test files and the number of the promise's tests in each file."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard",
         "Tests/*.swift", "Offline/Tests/*.swift", "Offline/Tests/*.py"],
        check=True, capture_output=True, text=True,
    ).stdout.split()
    found = collections.defaultdict(collections.Counter)
    for name in sorted(set(listed)):
        path = pathlib.Path(name)
        if not path.exists():
            continue
        for line in path.read_text().splitlines():
            for letter, number in PREFIX.findall(line) + TITLE.findall(line):
                found[f"{letter.upper()}{number}"][name] += 1
    return found


def write_list(promises: list[str], found: dict[str, collections.Counter]) -> None:
    text = "# Tests of the promises\n"
    for promise in promises:
        text += f"\n## {promise}\n\n"
        for name, count in found.get(promise, {}).items():
            text += f"- {name} ({count})\n"
    LIST.parent.mkdir(exist_ok=True)
    LIST.write_text(text)


def main() -> None:
    found = tests()
    problems, promises = [], []
    for row in DOCUMENT.read_text().splitlines():
        if row.count("`") % 2:
            problems.append(f"an odd number of backticks, so a part of the text is lost: {row[:60]}")
        promise = PROMISE.match(row)
        if promise:
            promises.append(promise[1])
            if promise[1] not in found:
                problems.append(f"{promise[1]} has no test")
    write_list(promises, found)
    problems += [f"{number} is named by tests and is no promise: {', '.join(found[number])}"
                 for number in sorted(set(found) - set(promises))]
    if f"[{len(promises)} numbered promises]" not in README.read_text():
        problems.append(f"{README} gives another number of promises than {len(promises)}")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
