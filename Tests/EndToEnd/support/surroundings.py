# SPDX-License-Identifier: Apache-2.0
"""What lies around a library, to see that nothing there was touched."""

import os
import pathlib
import re
import stat


def snapshot(root, without):
    """Every path below `root` except the library, with what would show a change."""
    found = {}
    for path in sorted(pathlib.Path(root).rglob("*")):
        if path == without or without in path.parents:
            continue
        status = path.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)
        # A folder's time changes when a library appears in it.
        found[str(path)] = (status.st_mode, status.st_uid,
                            None if is_folder else (status.st_size, status.st_mtime_ns))
    return found


WRITING = re.compile(
    r'\b(?:open(?:at)?|creat|rename(?:at2?)?|unlink(?:at)?|mkdir(?:at)?|symlink(?:at)?|'
    r'link(?:at)?|truncate|rmdir|mknod(?:at)?|chmod|fchmodat|chown|utimensat)\(')
READ_ONLY = re.compile(r'\bopen(?:at)?\((?:[^"]*"[^"]*"), [^)]*O_RDONLY')


def written_paths(trace):
    """The paths that a trace of `strace -f -y -e trace=file` shows changed or opened to write."""
    folders, found = {}, set()
    for line in pathlib.Path(trace).read_text(errors="replace").splitlines():
        process = line.split()[0]
        if "chdir(" in line and line.endswith("= 0"):
            folders[process] = line.split('"')[1]
        if not WRITING.search(line) or READ_ONLY.search(line) or "<unfinished" in line:
            continue
        if re.search(r"= -1 E", line):
            continue
        for base, name in re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"', line):
            base = base or folders.get(process, "")
            found.add(os.path.normpath(os.path.join(base, name)))
    return found
