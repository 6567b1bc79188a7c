# SPDX-License-Identifier: Apache-2.0
"""Fails if no snippet contains a Swift block of an article.

    python3 Scripts/check-snippets.py ARTICLE... -- SNIPPET...

A file contains a block if all lines of the block occur consecutively. In the file, all of the lines
may be indented by the same amount.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^( *)(`{3,})(\S*)\s*$")


def blocks(path: pathlib.Path):
    """Yields the line number and the lines of each Swift block."""
    opening = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if opening is None:
            if fence:
                opening, start, lines = fence, number, []
        elif fence and fence[2] == opening[2] and not fence[3]:
            if opening[3].lower() == "swift":
                yield start, lines
            opening = None
        else:
            lines.append(line.removeprefix(opening[1]).rstrip())
    if opening is not None:
        sys.exit(f"error: {path}:{start}: the block is not closed")


def contains(text: list[str], block: list[str]) -> bool:
    for start in range(len(text) - len(block) + 1):
        first = text[start]
        if not first.endswith(block[0]):
            continue
        indent = first.removesuffix(block[0])
        if indent.strip():
            continue
        wanted = [indent + line if line else "" for line in block]
        if text[start : start + len(block)] == wanted:
            return True
    return False


def trimmed(block: list[str]) -> list[str]:
    while block and not block[0]:
        block = block[1:]
    while block and not block[-1]:
        block = block[:-1]
    return block


def main() -> None:
    split = sys.argv.index("--")
    articles = [pathlib.Path(name) for name in sys.argv[1:split]]
    snippets = [
        [line.rstrip() for line in pathlib.Path(name).read_text().splitlines()]
        for name in sys.argv[split + 1 :]
    ]
    problems = []
    count = 0
    for article in articles:
        for line, block in blocks(article):
            count += 1
            block = trimmed(block)
            if not block:
                problems.append(f"{article}:{line}: the Swift block is empty")
            elif not any(contains(text, block) for text in snippets):
                problems.append(f"{article}:{line}: no snippet contains this block: {block[0]}")
    if problems:
        sys.exit("\n".join(["error: these Swift blocks are not compiled by any build", *problems]))
    print(f"{count} Swift blocks of {len(articles)} articles are compiled", file=sys.stderr)


if __name__ == "__main__":
    main()
