# SPDX-License-Identifier: Apache-2.0
"""Ports that belong to one process of the tests, for servers that keep a port over a restart."""

import contextlib
import os
import socket

# The ports lie below the ports of outgoing connections, which could take a port during a restart.
FIRST, BLOCK, BLOCKS = 20_000, 100, 120


class Ports:
    """Returns each port once.

    A later server therefore does not get the address and the storage of an earlier server.
    """

    def __init__(self):
        self.blocks = iter(range(BLOCKS))
        self.left = iter(())
        self.holders = []

    def take(self):
        while True:
            for port in self.left:
                # A program outside the tests may use the port.
                with socket.socket() as probe, contextlib.suppress(OSError):
                    probe.bind(("127.0.0.1", port))
                    return port
            self.left = self.next_block()

    def next_block(self):
        """Returns the ports of a block that no other process of this network has.

        The kernel releases the name of a holder at the end of the process.
        """
        for number in self.blocks:
            holder = socket.socket(socket.AF_UNIX)
            try:
                holder.bind(f"\0offline-end-to-end-ports-{number}")
            except OSError:
                holder.close()
                continue
            self.holders.append(holder)
            first = FIRST + number * BLOCK
            return iter(range(first, first + BLOCK))
        raise AssertionError(f"all {BLOCK * BLOCKS} ports for tests are in use")


_ports = {}


def free_port():
    """Returns a port that no other test uses."""
    # A child of this process must not use the ports of its parent.
    return _ports.setdefault(os.getpid(), Ports()).take()
