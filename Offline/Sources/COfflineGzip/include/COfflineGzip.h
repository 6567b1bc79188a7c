// SPDX-License-Identifier: Apache-2.0
// Compresses bytes with zlib. The functions that start a compression are macros, which Swift cannot
// call.
#pragma once

#include <stddef.h>

/// Returns a size that the compressed form of `count` bytes never exceeds.
size_t offline_gzip_bound(size_t count);

/// Compresses bytes in the gzip format.
///
/// Returns the size of the compressed form, or 0 if the size exceeds `capacity` or memory is short.
size_t offline_gzip(const unsigned char *bytes, size_t count, unsigned char *target, size_t capacity);
