// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#define _GNU_SOURCE
#include "CTidingsCrash.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// This file is not part of the signal handler. The code runs when a thread is created.

// The sanitizers replace the function themselves and must observe each thread.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_OWN_THREADS 1
#endif
#endif

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static _Atomic(void (*)(void)) observer;

void tidings_crash_observe_threads(void (*begins)(void)) { atomic_store(&observer, begins); }

#ifndef HAS_OWN_THREADS
struct beginning {
    void *(*start)(void *);
    void *argument;
};

static void *begin(void *memory) {
    struct beginning beginning = *(struct beginning *)memory;
    free(memory);
    void (*begins)(void) = atomic_load(&observer);
    if (begins != NULL) begins();
    return beginning.start(beginning.argument);
}

/// Replaces the function of the C library for the whole program, because only the thread itself can
/// install a signal stack.
int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
    void *restrict argument
) {
    static _Atomic(create_thread *) original;
    create_thread *create = atomic_load(&original);
    if (create == NULL) {
        create = (create_thread *)dlsym(RTLD_NEXT, "pthread_create");
        if (create == NULL) return EAGAIN;
        atomic_store(&original, create);
    }
    if (atomic_load(&observer) == NULL) return create(thread, attributes, start, argument);
    struct beginning *beginning = malloc(sizeof *beginning);
    if (beginning == NULL) return create(thread, attributes, start, argument);
    *beginning = (struct beginning){start, argument};
    int error = create(thread, attributes, begin, beginning);
    if (error != 0) free(beginning);
    return error;
}
#endif

#endif
