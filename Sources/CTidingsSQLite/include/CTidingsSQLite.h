// SPDX-License-Identifier: Apache-2.0
// SQLite as Swift can call it: what is a macro or variadic there is a function here.
#pragma once

#include <sqlite3.h>

/// Binds a copy of `text`, which may hold NUL bytes. `text` is never NULL.
int tidings_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count);

/// Binds a copy of `bytes`; NULL with a count of 0 is the empty blob, not the NULL value.
int tidings_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count);

/// Refuses statements that could damage the file, such as writes to its internal tables.
int tidings_sqlite_make_defensive(sqlite3 *database);
