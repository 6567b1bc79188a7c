# SPDX-License-Identifier: Apache-2.0
"""Copies symbol graphs with shorter headings, for the side bar and the lists of the documentation.

    python3 Scripts/shorten-headings.py SYMBOL-GRAPHS COPIES

A list shows only the start of each heading. Many headings have the same `func`, type parameters,
parameters that record the caller's file and line, and types that only repeat a label. These parts
would hide the labels that differ. The page of a symbol still shows the full declaration.
"""

import json
import pathlib
import re
import sys

LOCATION = r"fileID: StaticString, line: UInt"
OMITTED = re.compile(
    "|".join(
        [
            r"`",
            r"^(?:func|convenience) ",
            r"(?<=static )func ",
            rf", {LOCATION}(?=[,)])",
            rf"(?<=\(){LOCATION}(?:, )?",
            r"(?<=\bowner:) Owner(?=[,)])",
            r"(?<=\babout:) \(any AnyObject & Sendable\)\?",
            r"(?<=\bclock:) some Clock<Duration>",
        ]
    )
)


def omitted(text: str, name: str) -> list[range]:
    """Returns the places of the characters that a heading omits."""
    places = [range(*match.span()) for match in OMITTED.finditer(text)]
    start = text.find(f"{name}<") + len(name)
    end = text.find("(")
    if len(name) <= start < end and "func " in text:
        places.append(range(start, end))
    return places


def shorten(fragments: list[dict]) -> list[dict]:
    text = "".join(fragment["spelling"] for fragment in fragments)
    name = next((part["spelling"] for part in fragments if part["kind"] == "identifier"), "")
    places = omitted(text, name)
    result, position = [], 0
    for fragment in fragments:
        length = len(fragment["spelling"])
        kept = "".join(
            character
            for index, character in enumerate(fragment["spelling"], position)
            if not any(index in place for place in places)
        )
        position += length
        if kept:
            result.append({**fragment, "spelling": kept})
    return result


def main() -> None:
    source, target = map(pathlib.Path, sys.argv[1:])
    for path in sorted(source.glob("*/*.symbols.json")):
        graph = json.loads(path.read_text())
        for symbol in graph["symbols"]:
            names = symbol["names"]
            names["title"] = names["title"].replace("fileID:line:", "")
            if "subHeading" in names:
                names["subHeading"] = shorten(names["subHeading"])
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(json.dumps(graph))


if __name__ == "__main__":
    main()
