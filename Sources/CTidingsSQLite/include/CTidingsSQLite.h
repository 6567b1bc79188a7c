// SPDX-License-Identifier: Apache-2.0
// SQLite as Swift can call it.
#pragma once

#include <sqlite3.h>
