# SPDX-License-Identifier: Apache-2.0
"""Checks the bounds of the house: the size of modules, types and parameter lists, and the READMEs.

A name means one type: no two modules declare a type of the same name, except private ones.

What exceeded a bound before the bound existed is listed with today's number. A listed number may
only fall, and the list follows, so that nothing grows back.
"""

import collections
import pathlib
import re
import subprocess
import sys

FILES, LINES, MEMBERS, README_LINES = 150, 14_000, 60, 40
# Functions with three or more parameters without a label.
UNLABELLED = 0
KNOWN = {
    "files of TidingsDiagnostics": 158,
    "members of BridgeStorage": 71,
    "members of CrashReporter": 77,
    "members of DesktopSession": 68,
    "members of MessageCenter": 163,
    "members of Subscription": 69,
    "members of UserNotificationCenter": 88,
}

TYPE = re.compile(r"(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|private|fileprivate|internal|final|indirect|nonisolated) )*"
                  r"(?:struct|class|enum|actor|protocol|extension) (?P<name>[\w.]+)")
MEMBER = re.compile(r"    (?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|private|fileprivate|internal|static|final|class|override|mutating"
                    r"|nonisolated|lazy|weak|unowned|convenience|required|indirect|isolated|unsafe|consuming|borrowing)"
                    r"(?:\([\w]+\))? )*(?:func|var|let|init|subscript|case)\b")
FUNCTION = re.compile(r"\bfunc (?P<name>[^\s(<]+)(?:<[^(]*>)?\(")


def modules(files):
    """Returns the Swift files of each module's folder."""
    found = collections.defaultdict(list)
    for path in files:
        depth = 3 if path.parts[1] in ("Internal", "Sources") else 2
        found[pathlib.Path(*path.parts[:depth])].append(path)
    return found


def parameters(text, start):
    """Returns the parameters of a list whose parenthesis opens before `start`."""
    depth, parts, part = 1, [], start
    for place in range(start, len(text)):
        character = text[place]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[place - 1] != "-"):
            depth -= 1
        if depth == 0 or (depth == 1 and character == ","):
            parts.append(text[part:place].strip())
            part = place + 1
        if depth == 0:
            return parts
    return []


def bound(problems, name, number, limit):
    """Notes a number above the limit, or a listed number that is no longer the present one."""
    known = KNOWN.get(name)
    if number > (known or limit):
        problems.append(f"{name}: {number}; the maximum is {known or limit}")
    elif known and number < known:
        problems.append(f"{name}: {number}; " + (
            f"write this number in {sys.argv[0]}" if number > limit else f"remove the line in {sys.argv[0]}"))


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "Sources", "Offline/Sources"],
                            capture_output=True, text=True, check=True).stdout.split("\n")
    files = [pathlib.Path(name) for name in listed if name.endswith(".swift") and pathlib.Path(name).exists()]
    problems, members, unlabelled = [], collections.Counter(), 0
    homes = collections.defaultdict(set)
    for folder, own in sorted(modules(files).items()):
        contents = {path: path.read_text() for path in own}
        bound(problems, f"files of {folder.name}", len(own), FILES)
        bound(problems, f"lines of {folder.name}", sum(text.count("\n") for text in contents.values()), LINES)
        readme = folder / "README.md"
        lines = readme.read_text().count("\n") if readme.exists() else 0
        if not 0 < lines <= README_LINES:
            problems.append(f"{readme}: {lines} lines; a module has 1 to {README_LINES}")
        for text in contents.values():
            name = None
            for line in text.split("\n"):
                if line.startswith("}"):
                    name = None
                elif found := TYPE.match(line):
                    name = found["name"]
                    if not re.search(r"\b(?:private|fileprivate|extension)\b", found[0]):
                        homes[name].add(folder.name)
                elif name and MEMBER.match(line):
                    members[name] += 1
            for found in FUNCTION.finditer(text):
                given = parameters(text, found.end())
                unlabelled += sum(each.startswith("_ ") for each in given) >= 3
    for name, number in sorted(members.items()):
        bound(problems, f"members of {name}", number, MEMBERS)
    problems += [f"{name}: {' and '.join(sorted(homes))} each declare a type of this name"
                 for name, homes in sorted(homes.items()) if len(homes) > 1]
    bound(problems, "functions with three parameters without a label", unlabelled, UNLABELLED)
    for known in KNOWN:
        if known.startswith("members of ") and known.removeprefix("members of ") not in members:
            problems.append(f"{known}: the type is gone; remove the line in {sys.argv[0]}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
