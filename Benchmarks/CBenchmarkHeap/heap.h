// SPDX-License-Identifier: Apache-2.0
#ifndef CBENCHMARKHEAP_H
#define CBENCHMARKHEAP_H

#ifdef __linux__
#include <malloc.h>

/// Returns the heap bytes in use by the program, in all arenas and in mapped blocks.
static inline size_t heap_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif

#endif
