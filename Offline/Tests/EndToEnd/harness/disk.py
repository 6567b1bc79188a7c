# SPDX-License-Identifier: Apache-2.0
"""A small disk that fills up."""

import os
import pathlib
import subprocess


class SmallDisk:
    """A tmpfs on a folder, in a user namespace for an ordinary user."""

    def __init__(self, folder, size):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.keeper = None
        self.prefix = []
        if os.geteuid() != 0:
            self.keeper = subprocess.Popen(
                ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", "echo; exec cat"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.keeper.stdout.readline()
            self.prefix = ["nsenter", "--target", str(self.keeper.pid), "--user", "--mount",
                           "--preserve-credentials"]
        self.mount("-t", "tmpfs", "-o", f"size={size}", "offline-test")

    def mount(self, *arguments):
        subprocess.run([*self.prefix, "mount", *arguments, self.folder], check=True)

    def grow(self, size):
        self.mount("-o", f"remount,size={size}")

    @property
    def view(self):
        """The path of the folder for this process."""
        if self.keeper is None:
            return self.folder
        return pathlib.Path(f"/proc/{self.keeper.pid}/root{self.folder}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.keeper is None:
            subprocess.run(["umount", "--lazy", self.folder], check=True)
        else:
            self.keeper.stdin.close()
            self.keeper.wait(120)
