// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSALLOCATIONS_H
#define CTIDINGSALLOCATIONS_H

/// The allocations of this program since its start.
///
/// Linking this library inserts it between the program, including all of its shared libraries, and
/// the C library's allocator.
struct tidings_allocations {
    /// The calls that returned a block, including calls that grew one.
    long allocations;
    /// The blocks that are not freed yet.
    long live;
};

/// Returns the allocations of all threads.
struct tidings_allocations tidings_allocations_of_process(void);

/// Returns the allocations of the calling thread; `live` is negative if it frees blocks of others.
struct tidings_allocations tidings_allocations_of_thread(void);

/// Calls each allocator function that returns a block once, and frees the blocks.
///
/// Returns the number of calls.
int tidings_allocate_in_every_way(void);

#endif
