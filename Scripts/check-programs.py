# SPDX-License-Identifier: Apache-2.0
"""Compiles the programs of Snippets and Tests/WrongPrograms as a user would, with built modules.

    python3 Scripts/check-programs.py FOLDER-OF-MODULES [PART-OF-A-PATH...]

A snippet must compile without an error or a warning. A wrong program contains one comment with the
words of the first error:

    // expect: has no member 'nmae'
    // expect warning: is unused          the program compiles, with this warning first
    // expect no error                    the program is right, and compiles without a warning

With parts of paths, only the matching programs are compiled, and each diagnostic is printed.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WRONG = pathlib.Path("Tests/WrongPrograms")
SNIPPETS = pathlib.Path("Snippets")
FEWEST = 25
EXPECTATION = re.compile(r"^// expect(?: (warning|no error))?(?:: (.+))?$", re.MULTILINE)
DIAGNOSTIC = re.compile(r"^(?:.+?:\d+:\d+|<unknown>:0|<.+>): (error|warning): (.*)$", re.MULTILINE)
# These are the settings of a new package, in which a new user chooses nothing else.
ARGUMENTS = ["-swift-version", "6", "-diagnostic-style", "llvm"]


def diagnostics(program: pathlib.Path, modules: str, cache: str) -> tuple[list, str]:
    """Returns the reported pairs of kind and text, errors first, and the compiler's output."""
    # Some errors of a snippet, such as a race, are found only in the generated code. Only a program
    # with @main has no code outside of functions.
    text = program.read_text()
    kind = ["-typecheck", "-parse-as-library"] if is_wrong(program) else ["-emit-sil", "-o", os.devnull]
    if "@main" in text and not is_wrong(program):
        kind.append("-parse-as-library")
    # A module that imports a C library needs the module map of that library.
    maps = [*pathlib.Path(modules).parent.glob("CTidings*.build/module.modulemap"),
            *pathlib.Path("Sources").glob("CTidings*/module.modulemap")]
    for path in maps:
        kind += ["-Xcc", f"-fmodule-map-file={path}"]
    command = ["swiftc", *ARGUMENTS, *kind, "-module-cache-path", cache, "-I", modules, str(program)]
    run = subprocess.run(command, capture_output=True, text=True)
    found = DIAGNOSTIC.findall(run.stderr)
    if run.returncode != 0 and not any(kind == "error" for kind, _ in found):
        sys.exit(f"error: the compiler failed without an error in {program}:\n{run.stderr}")
    return sorted(found, key=lambda entry: entry[0]), run.stdout + run.stderr


def is_wrong(program: pathlib.Path) -> bool:
    return program.is_relative_to(WRONG)


def problem(program: pathlib.Path, found: list) -> str | None:
    """Returns the difference between a program's expectation and the first diagnostic."""
    expectations = EXPECTATION.findall(program.read_text()) if is_wrong(program) else [("no error", "")]
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
    snippets = sorted(SNIPPETS.glob("*.swift"))
    programs = sorted(WRONG.rglob("*.swift")) + snippets
    wrong = [path for path in programs if is_wrong(path) and "// expect no error" not in path.read_text()]
    if len(wrong) < FEWEST or not snippets:
        sys.exit(f"error: {len(wrong)} wrong programs in {WRONG}, of at least {FEWEST}, and {len(snippets)} snippets")
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
