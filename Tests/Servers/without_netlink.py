#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command without access to netlink sockets, like systemd's RestrictAddressFamilies.

    python3 without_netlink.py COMMAND [ARGUMENT...]
"""

import ctypes
import errno
import os
import platform
import socket
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD, UNLESS, RETURN = 0x20, 0x15, 0x06  # BPF: load a word, jump unless equal, return
ALLOW, REJECT = 0x7FFF0000, 0x00050000 | errno.EAFNOSUPPORT
NUMBER, FIRST_ARGUMENT = 0, 16  # offsets in struct seccomp_data
SYS_SOCKET = {"x86_64": 41, "aarch64": 198}[platform.machine()]

PROGRAM = b"".join(struct.pack("HBBI", *instruction) for instruction in (
    (LOAD, 0, 0, NUMBER),
    (UNLESS, 0, 3, SYS_SOCKET),
    (LOAD, 0, 0, FIRST_ARGUMENT),
    (UNLESS, 0, 1, socket.AF_NETLINK),
    (RETURN, 0, 0, REJECT),
    (RETURN, 0, 0, ALLOW)))


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
                  (PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
                   ctypes.byref(Filter(len(PROGRAM) // 8, PROGRAM)), 0, 0)):
    if libc.prctl(*arguments) != 0:
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[1], sys.argv[1:])
