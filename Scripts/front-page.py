# SPDX-License-Identifier: Apache-2.0
"""Puts the text of a page into the landing page that `docc merge` makes.

    python3 Scripts/front-page.py SITE ARCHIVE

The landing page lists all modules in its side bar, but can hold no text of its own. A page beside
them can hold text, but its side bar would be empty: a module that it listed would lose its own.
"""

import json
import pathlib
import sys


def main() -> None:
    site, archive = map(pathlib.Path, sys.argv[1:])
    (source,) = (archive / "data" / "documentation").glob("*.json")
    page = json.loads(source.read_text())
    path = site / "data" / "documentation.json"
    landing = json.loads(path.read_text())
    for part in "abstract", "primaryContentSections":
        landing[part] = page[part]
    landing["references"] = page["references"] | landing["references"]
    path.write_text(json.dumps(landing))


if __name__ == "__main__":
    main()
