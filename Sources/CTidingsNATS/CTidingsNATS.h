// SPDX-License-Identifier: Apache-2.0
// The C client of NATS, of which only the connection, headers and subscriptions are used.
#pragma once

#include <nats/nats.h>
