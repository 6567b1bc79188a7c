# SPDX-License-Identifier: Apache-2.0
"""Prints the public declarations in a folder of symbol graphs, sorted and without positions.

Each entry is one declaration with the module, path, kind and text. Conformances are also entries,
because the removal of a conformance breaks users like the removal of a method. Unavailable
declarations are not entries, because a symbol graph omits these, and no program that calls one
compiles. `Tests/WrongPrograms` pins the unavailable declarations.
"""

import json
import pathlib
import sys

PUBLIC = {"public", "open"}
# The compiler derives these for every type.
IMPLIED = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}


def entries(path: pathlib.Path):
    graph = json.loads(path.read_text())
    # `Module@Extended.symbols.json` contains Module's extensions of another module's types.
    module = path.name.removesuffix(".symbols.json").split("@")[0]
    names = {}
    for symbol in graph["symbols"]:
        if symbol.get("accessLevel") not in PUBLIC:
            continue
        dotted = ".".join(symbol["pathComponents"])
        names[symbol["identifier"]["precise"]] = dotted
        kind = symbol["kind"]["identifier"].removeprefix("swift.")
        text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
        yield {"module": module, "path": dotted, "kind": kind, "declaration": text}
    for relation in graph["relationships"]:
        if relation["kind"] != "conformsTo" or relation["source"] not in names:
            continue
        target = names.get(relation["target"], relation.get("targetFallback"))
        if target is None or target in IMPLIED:
            continue
        where = " ".join(
            f"{c['lhs']} {c['kind']} {c['rhs']}" for c in relation.get("swiftConstraints", [])
        )
        yield {
            "module": module,
            "path": names[relation["source"]],
            "kind": "conformance",
            "declaration": f"{target} where {where}" if where else target,
        }


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    found = {
        json.dumps(entry, ensure_ascii=False)
        for path in folder.rglob("*.symbols.json")
        for entry in entries(path)
    }
    if not found:
        sys.exit(f"error: no symbol graph in {folder}")
    rows = sorted(found, key=lambda row: (tuple(json.loads(row).values())))
    # One declaration per line, so that the difference of two versions is readable.
    print("[\n" + ",\n".join(rows) + "\n]")


if __name__ == "__main__":
    main()
