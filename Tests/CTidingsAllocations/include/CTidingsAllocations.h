// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSALLOCATIONS_H
#define CTIDINGSALLOCATIONS_H

/// The allocations of this program since the start.
///
/// This library stands between a program that links it, including all shared libraries, and the C
/// library's allocator.
struct tidings_allocations {
    /// The calls that returned a block, including calls that grew a block.
    long allocations;
    /// The blocks that are not yet freed.
    long live;
};

/// Returns the allocations of all threads.
struct tidings_allocations tidings_allocations_of_process(void);

/// Returns the allocations of the calling thread.
///
/// `live` is negative if the thread frees blocks of other threads.
struct tidings_allocations tidings_allocations_of_thread(void);

/// Calls each allocator function that returns a block once, and frees the blocks.
///
/// Returns the number of calls.
int tidings_allocate_in_every_way(void);

#endif
