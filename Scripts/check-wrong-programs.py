# SPDX-License-Identifier: Apache-2.0
"""Compiles the programs of Tests/WrongPrograms and compares the compiler's first error.

    python3 Scripts/check-wrong-programs.py FOLDER-OF-MODULES [PART-OF-A-PATH...]

A program says in one comment which words its first error contains:

    // expect: has no member 'nmae'
    // expect warning: is unused          the program compiles, with this warning first
    // expect no error                    the program is right, and compiles without a warning

With parts of paths, only those programs are compiled, and each diagnostic is printed.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path("Tests/WrongPrograms")
FEWEST = 25
EXPECTATION = re.compile(r"^// expect(?: (warning|no error))?(?:: (.+))?$", re.MULTILINE)
DIAGNOSTIC = re.compile(r"^(?:.+?:\d+:\d+|<unknown>:0|<.+>): (error|warning): (.*)$", re.MULTILINE)
# The settings of a new package; a newcomer chooses nothing else.
ARGUMENTS = ["-typecheck", "-swift-version", "6", "-parse-as-library", "-diagnostic-style", "llvm"]


def diagnostics(program: pathlib.Path, modules: str, cache: str) -> tuple[list, str]:
    """Returns the pairs of kind and text that the compiler reports, errors first, and its output."""
    command = ["swiftc", *ARGUMENTS, "-module-cache-path", cache, "-I", modules, str(program)]
    run = subprocess.run(command, capture_output=True, text=True)
    found = DIAGNOSTIC.findall(run.stderr)
    if run.returncode != 0 and not any(kind == "error" for kind, _ in found):
        sys.exit(f"error: the compiler failed without an error in {program}:\n{run.stderr}")
    return sorted(found, key=lambda entry: entry[0]), run.stdout + run.stderr


def problem(program: pathlib.Path, found: list) -> str | None:
    """Returns the difference between the expectation of a program and its first diagnostic."""
    expectations = EXPECTATION.findall(program.read_text())
    if len(expectations) != 1:
        return f"has {len(expectations)} expectations instead of 1"
    kind, words = expectations[0]
    if (kind == "no error") == bool(words):
        return "names no words, or words that no error needs"
    actual = "{}: {}".format(*found[0]) if found else "no error"
    expected = {"": f"error: {words}", "warning": f"warning: {words}"}.get(kind, kind)
    if words and found and found[0][0] == (kind or "error") and words in found[0][1]:
        return None
    if not words and not found:
        return None
    return f"\n  expected  {expected}\n  actual    {actual}"


def main() -> None:
    modules, *parts = sys.argv[1:]
    programs = sorted(FOLDER.rglob("*.swift"))
    wrong = [path for path in programs if "// expect no error" not in path.read_text()]
    if len(wrong) < FEWEST:
        sys.exit(f"error: {len(wrong)} wrong programs in {FOLDER}; there are at least {FEWEST}")
    if parts:
        programs = [path for path in programs if any(part in str(path) for part in parts)]
    if not list(pathlib.Path(modules).glob("Tidings.swiftmodule")):
        sys.exit(f"error: {modules} does not contain the module Tidings")
    problems = 0
    with (
        tempfile.TemporaryDirectory(prefix="tidings-modules.") as cache,
        concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool,
    ):
        results = pool.map(lambda path: diagnostics(path, modules, cache), programs)
        for path, (found, output) in zip(programs, results):
            difference = problem(path, found)
            problems += difference is not None
            if difference:
                print(f"{path}: {difference}\n{output}")
            elif parts:
                print(f"{path}: {'{}: {}'.format(*found[0]) if found else 'no error'}")
    if problems:
        sys.exit(f"error: {problems} of {len(programs)} programs differ from their expectation")
    print(f"{len(programs)} programs have the diagnostics that they expect")


if __name__ == "__main__":
    main()
