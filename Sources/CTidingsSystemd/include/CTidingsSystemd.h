// SPDX-License-Identifier: Apache-2.0
// The part of libsystemd that speaks D-Bus.
#pragma once

#include <systemd/sd-bus.h>

/// The number of the server behind a connection that is ready, as 32 hexadecimal digits; `text`
/// has room for 33 bytes.
int tidings_systemd_bus_id(sd_bus *bus, char *text);
