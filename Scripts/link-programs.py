# SPDX-License-Identifier: Apache-2.0
"""Links programs from the objects of a build, so that nothing is compiled twice.

    python3 Scripts/link-programs.py tests FOLDER-OF-THE-BUILD TEST-TARGET...
    python3 Scripts/link-programs.py changed FOLDER-OF-THE-BUILD TEST-TARGET...
    python3 Scripts/link-programs.py package FOLDER-OF-THE-BUILD FOLDER-OF-A-PACKAGE

`tests` links a program FOLDER/TARGET.xctest for each target. A program with the tests of a single
module starts in a tenth of the time of a program with all tests, and each exit test starts the
program again. `changed` prints the targets that need another run, because an object is newer than
FOLDER/TARGET.passed. The objects of the target count, and also the objects of the modules that the
target or the tested module imports. `package` compiles the programs of a package such as Examples
against the modules of the build, as another package that sees only public declarations, and links
the programs into FOLDER/Examples.
"""

import functools
import json
import os
import pathlib
import subprocess
import sys

MAIN = "Tests/Main.swift"
# The linker keeps only the libraries that a program needs.
LIBRARIES = ["curl", "sqlite3", "systemd", "crypto", "z", "microhttpd", "qrencode", "xml2", "nats"]
SANITIZERS = {"-sanitize=thread": "__tsan_init", "-sanitize=address": "__asan_init"}


def run(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))[:400]}\n{done.stdout}{done.stderr}")
    return done.stdout


@functools.cache
def package(folder="."):
    return json.loads(run("swift", "package", "--package-path", folder, "dump-package"))


@functools.cache
def dependencies():
    """Returns the names of the targets on which each target of the package depends directly."""
    return {target["name"]: {next(iter(each.values()))[0] for each in target["dependencies"]}
            for target in package()["targets"]}


def needed(names):
    """Returns the names of targets and of all targets on which the given targets depend."""
    found, waiting = set(), set(names)
    while waiting:
        found |= waiting
        waiting = {each for name in waiting for each in dependencies()[name]} - found
    return found


class Build:
    """A build of the package manager, with a test program of all modules."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        listed = (self.folder / "tidingsPackageTests.product/Objects.LinkFileList").read_text().splitlines()
        self.objects = [pathlib.Path(line.strip("'\"")) for line in listed]
        symbols = run("nm", "--undefined-only", next(path for path in self.objects if path.parent.name == "Tidings.build"))
        self.options = [option for option, symbol in SANITIZERS.items() if symbol in symbols]

    def objects_of(self, targets):
        folders = {name.replace("-", "_") + ".build" for name in targets}
        return [path for path in self.objects if path.relative_to(self.folder).parts[0] in folders]

    def link(self, program, objects):
        """Links a program unless the program has the same objects and is newer than all objects."""
        response = program.with_suffix(".objects")
        listed = "".join(f'"{path}"\n' for path in objects)
        if program.exists() and response.exists() and response.read_text() == listed:
            if all(path.stat().st_mtime <= program.stat().st_mtime for path in objects):
                return
        response.write_text(listed)
        # An existing program is always complete, even if this script is killed.
        unfinished = program.with_suffix(".unfinished")
        run("swiftc", *self.options, f"@{response}", "-o", unfinished, "-Xlinker", "--as-needed",
            *(word for library in LIBRARIES for word in ("-Xlinker", f"-l{library}")))
        os.replace(unfinished, program)

    def compile(self, sources, target, *options):
        """Compiles a separate module to one object."""
        made = self.folder / "programs" / f"{target}.o"
        made.parent.mkdir(exist_ok=True)
        kind = [] if any(path.name == "main.swift" for path in sources) else ["-parse-as-library"]
        # A module that imports a C library needs the module map of that library.
        maps = [*self.folder.glob("CTidings*.build/module.modulemap"),
                *pathlib.Path("Sources").glob("CTidings*/module.modulemap"),
                *pathlib.Path("Benchmarks").glob("*/module.modulemap")]
        kind += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
        run("swiftc", "-c", "-wmo", *kind, "-swift-version", "6", "-warnings-as-errors", *self.options,
            "-module-name", target, *options, "-I", self.folder / "Modules", *sources, "-o", made)
        return made


def link_tests(build, targets):
    main = build.folder / "programs" / "TestMain.o"
    # A new object would cause all programs to be linked again.
    if not main.exists() or main.stat().st_mtime < pathlib.Path(MAIN).stat().st_mtime:
        build.compile([pathlib.Path(MAIN)], "TestMain")
    for target in targets:
        build.link(build.folder / f"{target}.xctest", [*build.objects_of(needed([target])), main])


def print_changed(build, targets):
    for target in targets:
        used = dependencies()[target] | dependencies().get(target.removesuffix("Tests"), set())
        passed = build.folder / f"{target}.passed"
        time = passed.stat().st_mtime if passed.exists() else 0
        if any(path.stat().st_mtime > time for path in build.objects_of({target} | used)):
            print(target)


def features(target):
    """Returns the options of the compiler for the upcoming features of a target."""
    kinds = [setting["kind"] for setting in target["settings"]]
    return [word for kind in kinds if "enableUpcomingFeature" in kind
            for word in ("-enable-upcoming-feature", kind["enableUpcomingFeature"]["_0"])]


def link_package(build, folder):
    """Links the programs of another package, which lists a module before the programs that use the module."""
    modules, place = {}, build.folder / folder
    place.mkdir(exist_ok=True)
    for target in package(folder)["targets"]:
        name, sources = target["name"], sorted(pathlib.Path(folder, target["name"]).rglob("*.swift"))
        used = {kind: [names[0] for each in target["dependencies"] for of, names in each.items() if of == kind]
                for kind in ("product", "target")}
        options = [*features(target), "-package-name", folder, "-I", place]
        if target["type"] == "regular":
            module = place / f"{name}.swiftmodule"
            modules[name] = build.compile(sources, name, *options, "-emit-module", "-emit-module-path", module)
        elif target["type"] == "executable":
            made = build.compile(sources, name, *options)
            own = [modules[each] for each in used["target"] if each in modules]
            build.link(place / name, [*build.objects_of(needed(used["product"])), *own, made])


def main():
    kind, folder, *targets = sys.argv[1:]
    build = Build(folder)
    if kind == "tests":
        link_tests(build, targets)
    elif kind == "changed":
        print_changed(build, targets)
    elif kind == "package":
        link_package(build, *targets)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
