# SPDX-License-Identifier: Apache-2.0
"""Keeps the list of tests in Documentation/Promises.md.

    python3 Scripts/promises.py [--write]

A promise is a paragraph that begins with its number, such as `**M4**`. A test is named for it by
its prefix (`m4_cancelledHandlersAreNotCalled`, `test_o5_…`) or by its title (`"O15: …"`). The line
below a promise names the test suites and, in parentheses, the number of those tests. Without
`--write` the command fails when that line differs from the tree, when a promise has no test, and
when a test names no promise.
"""

import collections
import pathlib
import re
import subprocess
import sys

DOCUMENT = pathlib.Path("Documentation/Promises.md")
README = pathlib.Path("README.md")
PREFIX = re.compile(r"\b(?:func |def test_|_)([mnorsb])(\d+)_\w")
TITLE = re.compile(r"^\s*(?:@Test\(\s*)?\"([MNORSB])(\d+): ")
PROMISE = re.compile(r"^\*\*([MNORSB]\d+)\*\*")
KEPT = "Kept by "


def tests() -> dict[str, collections.Counter]:
    """Returns for each promise its test files and how many tests each has for it."""
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
                found[f"{letter.upper()}{number}"][path.stem] += 1
    return found


def line(suites: collections.Counter) -> str:
    return KEPT + ", ".join(f"`{name}` ({count})" for name, count in sorted(suites.items()))


def main() -> None:
    found = tests()
    text, problems, promises = [], [], []
    for row in DOCUMENT.read_text().splitlines():
        if row.startswith(KEPT):
            continue
        if row.count("`") % 2:
            problems.append(f"an odd number of backticks, so a part of the text is lost: {row[:60]}")
        text.append(row)
        promise = PROMISE.match(row)
        if promise:
            promises.append(promise[1])
            if promise[1] in found:
                text.append(line(found[promise[1]]))
            else:
                problems.append(f"{promise[1]} has no test")
    problems += [f"{number} is named by tests and is no promise: {line(found[number])}"
                 for number in sorted(set(found) - set(promises))]
    if f"[{len(promises)} numbered promises]" not in README.read_text():
        problems.append(f"{README} gives another number of promises than {len(promises)}")
    current = "\n".join(text) + "\n"
    if "--write" in sys.argv:
        DOCUMENT.write_text(current)
    elif current != DOCUMENT.read_text():
        problems.append(f"{DOCUMENT} does not name the tests of the tree: "
                        "python3 Scripts/promises.py --write")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
