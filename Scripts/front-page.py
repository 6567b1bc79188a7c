# SPDX-License-Identifier: Apache-2.0
"""Puts the text of a page into the landing page that `docc merge` makes.

    python3 Scripts/front-page.py SITE ARCHIVE

The landing page lists all modules in the side bar, but cannot hold text. A page beside the modules
can hold text, but the side bar would be empty, because a listed module would lose the module's own
side bar.
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
