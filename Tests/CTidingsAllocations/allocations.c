// SPDX-License-Identifier: Apache-2.0
// The C library allows a program to define these functions. All code in the process, including the
// C library, then calls the new functions, and the replaced functions keep a second name.
#include "CTidingsAllocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_long process_allocations;
static atomic_long process_live;
// The counters are in the executable, so that an access does not allocate.
static _Thread_local long thread_allocations;
static _Thread_local long thread_live;

static void *counted(void *block, long blocks) {
    if (block != NULL) {
        atomic_fetch_add_explicit(&process_allocations, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&process_live, blocks, memory_order_relaxed);
        thread_allocations += 1;
        thread_live += blocks;
    }
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size), 1); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size), 1); }

void *memalign(size_t alignment, size_t size) {
    return counted(__libc_memalign(alignment, size), 1);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void *valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

void *pvalloc(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return memalign(page, (size + page - 1) / page * page);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *aligned = memalign(alignment, size);
    if (aligned == NULL) return ENOMEM;
    *block = aligned;
    return 0;
}

void free(void *block) {
    if (block == NULL) return;
    atomic_fetch_sub_explicit(&process_live, 1, memory_order_relaxed);
    thread_live -= 1;
    __libc_free(block);
}

void *realloc(void *block, size_t size) {
    if (block != NULL && size == 0) {
        free(block);
        return NULL;
    }
    return counted(__libc_realloc(block, size), block == NULL ? 1 : 0);
}

void *reallocarray(void *block, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, total);
}

struct tidings_allocations tidings_allocations_of_process(void) {
    return (struct tidings_allocations){
        atomic_load_explicit(&process_allocations, memory_order_relaxed),
        atomic_load_explicit(&process_live, memory_order_relaxed),
    };
}

struct tidings_allocations tidings_allocations_of_thread(void) {
    return (struct tidings_allocations){thread_allocations, thread_live};
}

// Without this variable, the compiler removes the allocation of an unused block.
static void *volatile last_block;

static int use(void *block) {
    last_block = block;
    free(block);
    return 1;
}

int tidings_allocate_in_every_way(void) {
    int calls = use(malloc(24)) + use(calloc(3, 8)) + use(realloc(NULL, 24));
    calls += use(reallocarray(NULL, 3, 8)) + use(aligned_alloc(64, 64)) + use(memalign(64, 64));
    calls += use(valloc(64)) + use(pvalloc(64));
    void *block = NULL;
    if (posix_memalign(&block, 64, 64) == 0) calls += use(block);
    void *grown = realloc(NULL, 24);
    last_block = grown;
    return calls + 1 + use(realloc(grown, 100000));
}
