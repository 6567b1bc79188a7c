# SPDX-License-Identifier: Apache-2.0
"""Checks which files of a module refer to each other, by the compiler's index of the debug build.

    python3 Scripts/check-circles.py INDEX_STORE

In a module with layers, a folder refers only to folders below. A module has at most one circle of
more than five files. The circles of modules that have more are listed, and may only become smaller.
"""

import collections
import pathlib
import sys

from indexstore import Index, module_folder

# The folders of a module, from the lowest layer to the highest one.
LAYERS = {"OfflineServer": ["Events", "HTTP", "Access", "Routes", "Server"]}
# The sizes of the circles of more than five files, where there is more than one.
CIRCLES = {
    "Tidings": [71, 6],
    "TidingsUserNotifications": [16, 8],
}
SMALL = 5


def references(index):
    """Returns, for each module, which of its files refers to which, with the number of symbols."""
    home, used = {}, {}
    for file, record in index.sources().items():
        folder = module_folder(file)
        defined, others = index.symbols(record)
        home.update((symbol, (folder, file)) for symbol in defined)
        used[file] = (folder, others)
    found = collections.defaultdict(collections.Counter)
    for file, (folder, others) in used.items():
        for symbol in others:
            module, other = home.get(symbol, (None, None))
            if module == folder and other != file:
                found[folder][file, other] += 1
    return found


def circles(edges):
    """Returns the sizes of the strongly connected components of several files, the largest first."""
    next_of = collections.defaultdict(list)
    for file, other in edges:
        next_of[file].append(other)
    number, low, stack, sizes = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in next_of[file]:
            if other not in number:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], number[other])
        if low[file] == number[file]:
            place = stack.index(file)
            sizes.append(len(stack) - place)
            del stack[place:]

    for file in list(next_of):
        if file not in number:
            visit(file)
    return sorted((each for each in sizes if each > 1), reverse=True)


def main():
    sys.setrecursionlimit(10_000)
    problems = []
    found = references(Index(sys.argv[1]))
    missing = {*LAYERS, *CIRCLES} - {pathlib.Path(folder).name for folder in found}
    if missing:
        raise SystemExit(f"the index has no file of {', '.join(sorted(missing))}")
    for folder, edges in sorted(found.items()):
        module = pathlib.Path(folder).name
        large = [each for each in circles(edges) if each > SMALL]
        if len(large) > 1 or module in CIRCLES:
            known = CIRCLES.get(module, [])
            if large != known:
                problems.append(f"{module}: circles of {large} files; {known or 'at most one'} expected")
        layers = LAYERS.get(module, [])
        level = {file: layers.index(part) for pair in edges for file in pair
                 for part in [file.removeprefix(folder + "/").partition("/")[0]] if part in layers}
        upward = {(file, other): count for (file, other), count in edges.items()
                  if file in level and other in level and level[file] < level[other]}
        problems += [f"{file} refers to {other}, which is in a higher layer" for file, other in sorted(upward)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
