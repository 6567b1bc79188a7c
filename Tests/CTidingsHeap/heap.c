// SPDX-License-Identifier: Apache-2.0
#include "CTidingsHeap.h"

#ifdef __linux__
#include <malloc.h>

// This function is part of each sanitizer's library, and missing without a sanitizer.
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t tidings_heap_in_use(void) {
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif
