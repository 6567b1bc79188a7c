// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSHEAP_H
#define CTIDINGSHEAP_H

#include <stddef.h>

/// Returns the heap bytes in use by the program, as its allocator counts them: that of the sanitizer
/// in a build for one, otherwise that of the C library, in all arenas and in mapped blocks.
size_t tidings_heap_in_use(void);

#endif
