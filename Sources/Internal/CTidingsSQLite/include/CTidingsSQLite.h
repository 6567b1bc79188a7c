// SPDX-License-Identifier: Apache-2.0
// Functions for SQLite's macros and variadic functions, which Swift cannot call.
#pragma once

#include <sqlite3.h>

/// Binds a copy of `text`, which may hold NUL bytes. `text` is never NULL.
int tidings_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count);

/// Binds a copy of `bytes`. A count of 0 binds the empty blob, not the NULL value.
int tidings_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count);

/// Makes SQLite reject statements that could damage the file, such as writes to internal tables.
int tidings_sqlite_make_defensive(sqlite3 *database);

/// Sets whether the close keeps the write-ahead log instead of merging it into the file.
int tidings_sqlite_keep_log(sqlite3 *database, int keeps);
