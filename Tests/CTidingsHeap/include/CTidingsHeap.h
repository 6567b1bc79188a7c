// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSHEAP_H
#define CTIDINGSHEAP_H

#include <stddef.h>

/// Returns the heap bytes in use by the program, as counted by the allocator.
///
/// In a build for a sanitizer, the sanitizer's allocator counts. Otherwise the C library's
/// allocator counts, in all arenas and in mapped blocks.
size_t tidings_heap_in_use(void);

#endif
