# SPDX-License-Identifier: Apache-2.0
"""Detects changes of files outside a library."""

import os
import pathlib
import re
import stat


def snapshot(root, without):
    """Returns every path below `root` except the library, with the facts that show a change."""
    found = {}
    for path in sorted(pathlib.Path(root).rglob("*")):
        if path == without or without in path.parents:
            continue
        status = path.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)
        # The time of a folder changes when a library appears in it.
        found[str(path)] = (status.st_mode, status.st_uid,
                            None if is_folder else (status.st_size, status.st_mtime_ns))
    return found


WRITING = re.compile(
    r'\b(?:open(?:at)?|creat|rename(?:at2?)?|unlink(?:at)?|mkdir(?:at)?|symlink(?:at)?|'
    r'link(?:at)?|truncate|rmdir|mknod(?:at)?|chmod|fchmodat|chown|utimensat)\(')
READ_ONLY = re.compile(r'\bopen(?:at)?\((?:[^"]*"[^"]*"), [^)]*O_RDONLY')


def _whole_calls(lines):
    """Joins the two halves of each call that strace has split to print a call of another thread."""
    begun = {}
    for line in lines:
        process, _, rest = line.partition(" ")
        if rest.endswith("<unfinished ...>"):
            begun[process] = line.removesuffix("<unfinished ...>")
        elif resumed := re.match(r"\s*<\.\.\. \w+ resumed>", rest):
            yield begun.pop(process, "") + rest[resumed.end():]
        else:
            yield line
    yield from begun.values()


def written_paths(trace):
    """Returns the changed or written paths in a trace of `strace -f -y -e trace=file`."""
    folders, found = {}, set()
    for line in _whole_calls(pathlib.Path(trace).read_text(errors="replace").splitlines()):
        process = line.split()[0]
        if "chdir(" in line and line.endswith("= 0"):
            folders[process] = line.split('"')[1]
        if not WRITING.search(line) or READ_ONLY.search(line):
            continue
        if re.search(r"= -1 E", line):
            continue
        for base, name in re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"', line):
            base = base or folders.get(process, "")
            found.add(os.path.normpath(os.path.join(base, name)))
    return found
