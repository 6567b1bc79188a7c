# SPDX-License-Identifier: Apache-2.0
"""Waits for changes of files and processes, without polling."""

import contextlib
import ctypes
import os
import pathlib
import select
import time

_LIBC = ctypes.CDLL(None, use_errno=True)
# From <sys/inotify.h>: modified, moved away, moved here, created, deleted.
_CHANGES = 0x2 | 0x40 | 0x80 | 0x100 | 0x200


class _Watch:
    """Detects changes below a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        assert self.folder.is_dir(), f"{folder} is not a folder, so it cannot be watched"
        self.descriptor = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")

    def close(self):
        os.close(self.descriptor)

    def watch_folders(self):
        """Watches the present folders; the caller must check its condition afterwards."""
        for folder, _, _ in os.walk(self.folder):
            # A folder may have been deleted since.
            _LIBC.inotify_add_watch(self.descriptor, os.fsencode(folder), _CHANGES)

    def drain(self):
        with contextlib.suppress(BlockingIOError):
            while os.read(self.descriptor, 65_536):
                pass


def wait_until(condition, folder, failure="the condition never held", process=None, seconds=120):
    """Waits for a condition on the content of an existing folder, or on a process.

    Checks it after each change below the folder, and after the end of the process.
    """
    deadline = time.monotonic() + seconds
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(contextlib.closing(_Watch(folder)))
        poller = select.poll()
        poller.register(watch.descriptor, select.POLLIN)
        end = None
        if process and process.poll() is None:
            end = os.pidfd_open(process.pid)
            stack.callback(os.close, end)
            poller.register(end, select.POLLIN)
        while True:
            watch.drain()
            watch.watch_folders()
            if condition():
                return
            # A process ends only once.
            if end in _wait(poller, deadline, failure):
                poller.unregister(end)


def wait_for_end(find, failure, seconds=120):
    """Waits for the end of all processes whose numbers `find` returns."""
    deadline = time.monotonic() + seconds
    while numbers := find():
        for number in numbers:
            try:
                end = os.pidfd_open(number)
            except ProcessLookupError:
                continue
            poller = select.poll()
            poller.register(end, select.POLLIN)
            try:
                _wait(poller, deadline, failure)
            finally:
                os.close(end)


def _wait(poller, deadline, failure):
    """Returns the descriptors with an event."""
    left = deadline - time.monotonic()
    events = poller.poll(left * 1_000) if left > 0 else []
    assert events, failure
    return [descriptor for descriptor, _ in events]
