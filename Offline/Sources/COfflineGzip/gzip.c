// SPDX-License-Identifier: Apache-2.0
#include "COfflineGzip.h"

#include <limits.h>
#include <zlib.h>

/// The additional size of the header and trailer of gzip, compared with zlib.
enum { GZIP_EXCESS = 32 };

/// 15 bits select the window size, and 16 more select the gzip format.
enum { WINDOW_BITS = 15 + 16 };

size_t offline_gzip_bound(size_t count)
{
    return compressBound(count) + GZIP_EXCESS;
}

size_t offline_gzip(const unsigned char *bytes, size_t count, unsigned char *target, size_t capacity)
{
    if (count > UINT_MAX || capacity > UINT_MAX)
        return 0;
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    // zlib only reads these bytes.
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = (unsigned int)count;
    stream.next_out = target;
    stream.avail_out = (unsigned int)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t size = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? size : 0;
}
