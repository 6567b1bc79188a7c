// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSHEAP_H
#define CTIDINGSHEAP_H

#include <malloc.h>

/// Returns the heap bytes in use by the program, in all arenas and in mapped blocks.
static inline size_t tidings_heap_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

#endif
