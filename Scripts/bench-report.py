# SPDX-License-Identifier: Apache-2.0
"""Merges benchmark results into one file and prints them as a table.

Usage: bench-report.py MERGED RESULT...   Each file is a list of
{"name", "value", "unit", "gate", "pass"}; without a gate, gate and pass are null.
"""

import json
import pathlib
import sys

FIELDS = {"name", "value", "unit", "gate", "pass"}


def main() -> None:
    merged, *sources = map(pathlib.Path, sys.argv[1:])
    rows = []
    for source in sources:
        for row in json.loads(source.read_text()):
            if FIELDS - set(row):
                sys.exit(f"error: {source}: {row} lacks {sorted(FIELDS - set(row))}")
            rows.append(row)
    if not rows:
        sys.exit("error: there are no results")
    merged.write_text(json.dumps(rows, indent=1) + "\n")

    width = max(len(row["name"]) for row in rows)
    for row in rows:
        verdict = {True: "ok", False: "MISSED", None: ""}[row["pass"]]
        gate = "" if row["gate"] is None else f"gate {row['gate']}"
        value = f"{row['value']:.4g}" if isinstance(row["value"], float) else str(row["value"])
        print(f"{row['name']:<{width}}  {value:>10} {row['unit']:<8} {gate:<14} {verdict}".rstrip())
    missed = sum(row["pass"] is False for row in rows)
    gated = sum(row["pass"] is not None for row in rows)
    print(f"{gated - missed} of {gated} gates held, {missed} MISSED; written to {merged}")


if __name__ == "__main__":
    main()
