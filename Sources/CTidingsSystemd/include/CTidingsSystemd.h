// SPDX-License-Identifier: Apache-2.0
// The D-Bus part of libsystemd, and the start of other programs. This header is empty on systems
// other than Linux.
#pragma once

#ifdef __linux__
#include <sys/types.h>
#include <systemd/sd-bus.h>

/// Writes the ID of the server behind a ready connection into `text`, as 32 hexadecimal digits and
/// a NUL.
///
/// `text` must have room for 33 bytes. Returns a negative errno value on failure.
int tidings_systemd_bus_id(sd_bus *bus, char *text);

/// Starts a program in a new session, with the caller's environment but not the caller's files.
///
/// Returns an errno value, or 0 with the number of the process.
int tidings_program_start(pid_t *process, const char *path, char *const arguments[]);
#endif
