# SPDX-License-Identifier: Apache-2.0
"""Checks the files of Changes, or assembles the files into CHANGELOG.md.

    python3 Scripts/changelog.py [--release VERSION DATE]

The name of a file is an area and a change, such as `offline-checksums.md`. The first line is `# `
and a section of the changelog. An empty line and a Markdown list follow. With `--release` the
command adds the lists below a heading for the version, in the order of the sections, and removes
the files.
"""

import datetime
import pathlib
import re
import sys

CHANGELOG = pathlib.Path("CHANGELOG.md")
CHANGES = pathlib.Path("Changes")
# In the order of the changelog.
SECTIONS = [
    "Messages and state",
    "Foundation and testing",
    "User notifications",
    "Reports to developers",
    "Other processes and machines",
    "offline: downloads",
    "offline: streams",
    "offline: sites and feeds",
    "offline: library",
    "offline: page and player",
    "offline: phones and machines",
    "offline: desktop and commands",
]
UNRELEASED = "## [Unreleased]"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+\.md")
# A line of a list, or the continuation of such a line.
ITEM = re.compile(r"- \S|  \S")
VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")


def change_files() -> list[pathlib.Path]:
    """Returns the files of Changes. Git keeps no empty folder, so a release removes the folder."""
    return sorted(CHANGES.iterdir()) if CHANGES.exists() else []


def file_problems(path: pathlib.Path):
    """Yields a fault and the remedy for each rule that the file breaks."""
    if not NAME.fullmatch(path.name) or not path.is_file():
        yield f"{path}: not the name of a change; use an area and a change: offline-checksums.md"
        return
    text = path.read_text()
    if not text.strip():
        yield f"{path}: empty; describe the change, or remove the file"
        return
    if not text.endswith("\n"):
        yield f"{path}: the last line does not end; add a newline"
    heading, *rest = text.splitlines()
    if heading.removeprefix("# ") not in SECTIONS or not heading.startswith("# "):
        sections = "\n".join(f"    # {section}" for section in SECTIONS)
        yield f"{path}:1: not a section of the changelog; write one of these lines:\n{sections}"
    if rest[:1] != [""] or not rest[1:] or not rest[1].startswith("- "):
        yield f"{path}:2: no list; write an empty line and then lines that start with '- '"
        return
    for number, line in enumerate(rest[1:], 3):
        if not ITEM.match(line):
            yield f"{path}:{number}: not a line of the list; start the line with '- ' or two spaces"


def changelog_parts() -> tuple[str, str]:
    """Returns the changelog up to the end of the unreleased part, and the releases."""
    head, mark, rest = CHANGELOG.read_text().partition(f"\n{UNRELEASED}\n")
    if not mark:
        sys.exit(f"error: {CHANGELOG} has no line '{UNRELEASED}'; add the line before the releases")
    note, heading, releases = rest.partition("\n## ")
    if re.search(r"^(- |### )", note, re.MULTILINE):
        sys.exit(f"error: {CHANGELOG} lists a change below '{UNRELEASED}'; "
                 f"move the change into a file of {CHANGES}")
    return head + mark + note, heading.lstrip("\n") + releases


def check() -> None:
    problems = [problem for path in change_files() for problem in file_problems(path)]
    if problems:
        sys.exit("\n".join(problems))
    changelog_parts()


def release(version: str, date: str) -> None:
    check()
    paths = change_files()
    if not paths:
        sys.exit(f"error: {CHANGES} has no file; describe a change before the release")
    head, releases = changelog_parts()
    if f"## [{version}]" in releases:
        sys.exit(f"error: {CHANGELOG} contains {version} already; choose the next version")
    lists = dict.fromkeys(SECTIONS, "")
    for path in paths:
        heading, changes = path.read_text().split("\n\n", 1)
        lists[heading.removeprefix("# ")] += changes
    parts = [head.rstrip() + "\n", f"## [{version}] - {date}\n"]
    parts += [f"### {section}\n\n{changes}" for section, changes in lists.items() if changes]
    CHANGELOG.write_text("\n".join(parts + [releases] if releases else parts))
    for path in paths:
        path.unlink()


def is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def main() -> None:
    match sys.argv[1:]:
        case []:
            check()
        case ["--release", version, date] if VERSION.fullmatch(version) and is_date(date):
            release(version, date)
        case _:
            sys.exit("usage: python3 Scripts/changelog.py [--release 1.2.3 2026-12-31]")


if __name__ == "__main__":
    main()
