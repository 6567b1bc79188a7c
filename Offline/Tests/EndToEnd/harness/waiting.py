# SPDX-License-Identifier: Apache-2.0
"""Waits for changes of files and processes, without polling."""

import contextlib
import ctypes
import errno
import inspect
import os
import pathlib
import select
import time

_LIBC = ctypes.CDLL(None, use_errno=True)
# The bits of <sys/inotify.h> for modified, moved away, moved here, created and deleted.
_CHANGES = 0x2 | 0x40 | 0x80 | 0x100 | 0x200


class _Watch:
    """Detects changes below a folder."""

    def __init__(self, folder, deadline):
        self.folder = pathlib.Path(folder)
        assert self.folder.is_dir(), f"{folder} is not a folder, so it cannot be watched"
        # All programs of a user share 128 instances, so a new one may have to wait for an earlier
        # end.
        while (descriptor := _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)) < 0:
            number = ctypes.get_errno()
            if number != errno.EMFILE or time.monotonic() > deadline:
                raise OSError(number, "inotify_init1")
            time.sleep(0.05)
        self.descriptor = descriptor

    def close(self):
        os.close(self.descriptor)

    def watch_folders(self):
        """Watches the present folders, after which the caller must check the condition."""
        folders = [os.fspath(self.folder)]
        while folders:
            folder = folders.pop()
            # The watch starts before the folder is read, so that each later change is an event.
            _LIBC.inotify_add_watch(self.descriptor, os.fsencode(folder), _CHANGES)
            # A folder may have been deleted since.
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                folders += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]

    def drain(self):
        with contextlib.suppress(BlockingIOError):
            while os.read(self.descriptor, 65_536):
                pass


def described(condition):
    """Returns the lines that define a condition, as a name in a failure."""
    try:
        return " ".join(inspect.getsource(condition).split())
    except OSError:
        return repr(condition)


def wait_until(condition, folder, failure=None, process=None, seconds=120):
    """Waits for a condition on the content of an existing folder, or on a process.

    The condition is checked after each change below the folder, and after the end of the process.
    """
    deadline = time.monotonic() + seconds
    failure = failure or f"never true: {described(condition)}"
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(contextlib.closing(_Watch(folder, deadline)))
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
    """Waits for the end of all processes with the numbers that `find` returns."""
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
