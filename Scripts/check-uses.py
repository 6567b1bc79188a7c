# SPDX-License-Identifier: Apache-2.0
"""Checks how the package uses its own declarations, by the compiler's index of the debug build.

    python3 Scripts/check-uses.py INDEX_STORE

A switch over an enum of this package names every case, because `default` would hide a new case. The
program uses the public declarations of the products and of the internal modules, as a program of
another package would, and otherwise only its own.
"""

import pathlib
import re
import sys

from indexstore import DEFINITION, ENUM_CASE, IMPLICIT, REFERENCE, Index

DEFAULT = re.compile(r"( *)default:")
CASE = re.compile(r" *case ")
LEVEL = re.compile(r"\b(public|open|package)\b")
OWNER = re.compile(r"\b(?:protocol|enum|extension)\b")


def switches(lines):
    """Returns, for each `default`, its line and the lines of the cases before it, counted from 1."""
    for number, line in enumerate(lines, 1):
        if not (found := DEFAULT.match(line)):
            continue
        indent, cases = found[1], []
        for place in range(number - 1, 0, -1):
            text = lines[place - 1]
            if not text.startswith(indent) or text[len(indent):len(indent) + 1] in (" ", "", "/", "#", ")"):
                continue
            if not CASE.match(text):
                break
            cases.append(place)
        yield number, cases


def patterns(lines, number):
    """Returns the places, each a line and a column, at which the patterns of a case name an enum's case."""
    depth, isFirst, place = 0, True, lines[number - 1].index("case ") + len("case ")
    while number <= len(lines):
        text = lines[number - 1]
        while place < len(text):
            character = text[place]
            if character in "([{":
                depth += 1
                isFirst = False
            elif character in ")]}":
                depth -= 1
            elif depth == 0 and character == ":":
                return
            elif depth == 0 and character == ",":
                isFirst = True
            elif depth == 0 and isFirst and character == "." and re.match(r"\.`?\w", text[place:]):
                # The last component of a name such as `Kind.text`.
                yield number, place + 2
            elif depth == 0 and text[place:place + 7] == " where ":
                isFirst = False
            place += 1
        number, place = number + 1, 0


def is_public(lines, number):
    """Returns whether a declaration is public, by its own line or as a part of its type."""
    line = lines[number - 1]
    while not (found := LEVEL.search(line)):
        indent = len(line) - len(line.lstrip())
        number = next((each for each in range(number - 1, 0, -1) if lines[each - 1].strip()
                       and len(lines[each - 1]) - len(lines[each - 1].lstrip()) < indent), 0)
        if not number:
            return False
        line = lines[number - 1]
        if not OWNER.search(line):
            return False
    return found[1] != "package"


def main():
    index = Index(sys.argv[1])
    occurrences = {file: index.occurrences(record) for file, record in index.sources().items()}
    if not occurrences:
        raise SystemExit("the index has no file of this package")
    lines = {file: pathlib.Path(file).read_text().split("\n") for file in occurrences}
    defined = {each.symbol: (file, each) for file, own in occurrences.items() for each in own
               if each.roles & DEFINITION}
    own_cases = {symbol for symbol, (_, each) in defined.items() if each.kind == ENUM_CASE}
    hidden = {symbol for symbol, (file, each) in defined.items()
              if file.startswith("Sources/") and not file.startswith("Sources/Internal/")
              and not is_public(lines[file], each.line)}
    problems = []
    for file, own in sorted(occurrences.items()):
        named = {(each.line, each.column) for each in own if each.symbol in own_cases}
        for number, cases in switches(lines[file]):
            if any(place in named for case in cases for place in patterns(lines[file], case)):
                problems.append(f"{file}:{number}: name the remaining cases in place of `default`")
        if file.startswith("Offline/"):
            problems += [f"{file}:{line}: `{word}` is no public declaration" for line, word in sorted({
                (each.line, re.match(r"\W?(\w*)", lines[file][each.line - 1][each.column - 1:])[1])
                for each in own if each.roles & REFERENCE and not each.roles & IMPLICIT and each.symbol in hidden})]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
