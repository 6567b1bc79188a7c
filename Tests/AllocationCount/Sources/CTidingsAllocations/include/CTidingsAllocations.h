// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSALLOCATIONS_H
#define CTIDINGSALLOCATIONS_H

/// What the allocator of this program was asked for since it started.
///
/// Linking this library puts it between the program, with every shared library that it loads, and
/// the C library's allocator.
struct tidings_allocations {
    /// Calls that returned a block, grown ones included.
    long allocations;
    /// Blocks that are not freed yet.
    long live;
};

/// By all threads.
struct tidings_allocations tidings_allocations_of_process(void);

/// By the calling thread; `live` may be negative on one that frees what others made.
struct tidings_allocations tidings_allocations_of_thread(void);

/// Calls each of the allocator's functions that return a block once, and frees what they returned.
///
/// Returns how many there are.
int tidings_allocate_in_every_way(void);

#endif
