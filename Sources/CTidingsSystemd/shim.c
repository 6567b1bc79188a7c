// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "CTidingsSystemd.h"

int tidings_systemd_bus_id(sd_bus *bus, char *text) {
    sd_id128_t id;
    int result = sd_bus_get_bus_id(bus, &id);
    if (result >= 0) {
        sd_id128_to_string(id, text);
    }
    return result;
}
#endif
