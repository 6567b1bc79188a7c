# SPDX-License-Identifier: Apache-2.0
"""Fails if scripts of the page import each other in a circle, or folders of scripts do.

A script that another one loads late counts, too. An imported file must exist.
"""

import graphlib
import os.path
import pathlib
import re
import sys

PAGE = pathlib.Path("Offline/Sources/OfflineServer/Page")
IMPORT = re.compile(r'(?:\bfrom |\bimport ?\(?|\bnew Worker\(new URL\()"(\.[^"]+)"')


def imports(script):
    """Returns the imported paths of a script."""
    return [os.path.normpath(script.parent / path) for path in IMPORT.findall(script.read_text())]


def circle(edges):
    """Returns a circle of imports as a sentence, or None without one."""
    graph = {}
    for file, other in edges:
        graph.setdefault(file, set()).add(other)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return None


def main():
    edges = [(str(script), path) for script in sorted(PAGE.rglob("*.js")) for path in imports(script)]
    folders = [pair for edge in edges for pair in [tuple(map(os.path.dirname, edge))] if pair[0] != pair[1]]
    problems = [f"{file} imports {path}, which does not exist" for file, path in edges if not os.path.exists(path)]
    problems += filter(None, [circle(edges), circle(folders)])
    if not edges:
        problems.append(f"{PAGE} has no script that imports another one")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
