// SPDX-License-Identifier: Apache-2.0
// The D-Bus part of libsystemd, and the start of other programs. Empty on systems without systemd.
#pragma once

#ifdef __linux__
#include <sys/types.h>
#include <systemd/sd-bus.h>

/// Writes the ID of the server behind a ready connection into `text`, as 32 hexadecimal digits and a
/// NUL; `text` must have room for 33 bytes. Returns a negative errno value on failure.
int tidings_systemd_bus_id(sd_bus *bus, char *text);

/// Starts a program in a session of its own, with no file of the caller but its environment. Returns
/// an errno value, or 0 with the number of the process.
int tidings_program_start(pid_t *process, const char *path, char *const arguments[]);
#endif
