# SPDX-License-Identifier: Apache-2.0
"""Fails for undocumented declarations, for polling, and for English that no native speaker writes.

A `package` or `public` declaration of a product or the program needs a documentation comment. The
comments of each folder may hold at most two lines in a thousand with each of the patterns below.
"""

import collections
import pathlib
import re
import subprocess
import sys

DECLARATION = re.compile(r"\s*(?:@\S+ )*(?:package|public) (?!import|extension)")
ATTRIBUTE = re.compile(r"\s*@\w")
COMMENT = re.compile(r"\s*(?:///?|\*|/\*)\s?(.*)")
PATTERNS = {
    "somebody, nobody, anybody": re.compile(r"\b(some|no|any|every)body\b"),
    "those who, those that": re.compile(r"\b(those|all|everybody) (who|that)\b"),
    "a sentence that opens with What or Who": re.compile(r"(^|[.!?:] +)(What|Who|Whoever) [a-z]"),
    "tell, told, hear, heard": re.compile(r"\b(tells?|told|hears?|heard)\b"),
}
LIMIT = 2 / 1_000
# A poll checks a condition repeatedly. The file of each exception says why no event can be awaited.
POLL = re.compile(r"\b(usleep|nanosleep|Thread\.sleep)\(")
POLLING = {
    "Sources/Internal/TidingsFiles/LockTime.swift",
    "Sources/TidingsDiagnostics/Recording/CleanExit.swift",
}


def files(*patterns: str) -> list[pathlib.Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        check=True, capture_output=True, text=True,
    ).stdout.split()
    return [path for path in map(pathlib.Path, sorted(set(listed))) if path.exists()]


def undocumented(path: pathlib.Path):
    lines = path.read_text().splitlines()
    for index, line in enumerate(lines):
        if not DECLARATION.match(line) or " override " in line:
            continue
        before = index - 1
        while before >= 0 and ATTRIBUTE.match(lines[before]):
            before -= 1
        if not lines[before].lstrip().startswith("///"):
            yield f"{path}:{index + 1}: no documentation: {line.strip()}"


def main() -> None:
    problems = []
    shipped = files("Sources/*.swift", "Offline/Sources/*.swift")
    for path in shipped:
        problems += undocumented(path)
        if POLL.search(path.read_text()) and str(path) not in POLLING:
            problems.append(f"{path}: polls; await an event instead")
    counts, lines = collections.Counter(), 0
    for path in shipped + files("Sources/*.c", "Sources/*.h", "Sources/*.md", "Offline/*.c",
                                "Offline/*.h", "Offline/Sources/*.js", "Offline/Extension/*.js"):
        for line in path.read_text().splitlines():
            comment = COMMENT.match(line)
            text = line if path.suffix == ".md" else comment and comment[1]
            if not text:
                continue
            lines += 1
            for name, pattern in PATTERNS.items():
                counts[name] += bool(pattern.search(text))
    for name, count in counts.items():
        if count > LIMIT * lines:
            problems.append(f"{count} of {lines} comment lines: {name}")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
