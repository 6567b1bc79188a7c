// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd as Swift can call it.
#pragma once

#include <microhttpd.h>
