# SPDX-License-Identifier: Apache-2.0
"""Waiting for facts that nobody sends a message about: the kernel tells when to look again."""

import contextlib
import ctypes
import os
import pathlib
import select
import time

_LIBC = ctypes.CDLL(None, use_errno=True)
# Of <sys/inotify.h>: modified, moved away, moved here, created, deleted.
_CHANGES = 0x2 | 0x40 | 0x80 | 0x100 | 0x200


class _Watch:
    """Tells when something changes below a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        assert self.folder.is_dir(), f"{folder} is no folder; nothing would be told of it"
        self.descriptor = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")

    def close(self):
        os.close(self.descriptor)

    def take_in(self):
        """Watches the folders that are there now; to be followed by a look at the fact."""
        for folder, _, _ in os.walk(self.folder):
            # One that has gone meanwhile has nothing to tell.
            _LIBC.inotify_add_watch(self.descriptor, os.fsencode(folder), _CHANGES)

    def drain(self):
        with contextlib.suppress(BlockingIOError):
            while os.read(self.descriptor, 65_536):
                pass


def wait_until(condition, folder, failure="it never happened", process=None, seconds=120):
    """Waits for a fact about what is below a folder that exists, or about the process.

    Looks whenever something there has changed, and when the process has ended.
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
            watch.take_in()
            if condition():
                return
            # An end is news once.
            if end in _wait(poller, deadline, failure):
                poller.unregister(end)


def wait_for_end(find, failure, seconds=120):
    """Waits until none of the processes is left whose numbers `find` returns."""
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
    """The descriptors that have something to tell."""
    left = deadline - time.monotonic()
    news = poller.poll(left * 1_000) if left > 0 else []
    assert news, failure
    return [descriptor for descriptor, _ in news]
