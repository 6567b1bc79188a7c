// SPDX-License-Identifier: Apache-2.0
// The D-Bus part of libsystemd.
#pragma once

#include <systemd/sd-bus.h>

/// Writes the ID of the server behind a ready connection into `text`, as 32 hexadecimal digits and a
/// NUL; `text` must have room for 33 bytes. Returns a negative errno value on failure.
int tidings_systemd_bus_id(sd_bus *bus, char *text);
