// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

// The mark of a run's end. A normal end and an end by a signal do not replace each other, but a
// crash overrides every mark, because nothing follows a crash.

enum { MARK_RUNS = 0, MARK_CLEAN = 1 };

static _Atomic uint32_t crash_mark;

static _Atomic uint32_t *mark(void) { return (_Atomic uint32_t *)crash_setup.end_mark; }

static uint32_t mark_of(int signal) { return 2u | (uint32_t)signal << 8; }

/// Replaces a mark that has the expected value.
static void replace(uint32_t seen, uint32_t wanted) {
    if (mark() != NULL) atomic_compare_exchange_strong(mark(), &seen, wanted);
}

void crash_mark_crash(int signal) {
    if (mark() == NULL) return;
    atomic_store(&crash_mark, mark_of(signal));
    atomic_store(mark(), mark_of(signal));
}

void crash_unmark_crash(void) { replace(atomic_load(&crash_mark), MARK_RUNS); }

/// Marks the run as ended by a signal.
///
/// A further end signal may replace an earlier end signal, but no signal replaces a normal end.
static void mark_signal(int signal) {
    if (mark() == NULL) return;
    uint32_t seen = atomic_load(mark());
    while (seen != MARK_CLEAN && !atomic_compare_exchange_weak(mark(), &seen, mark_of(signal))) {}
}

void crash_on_end_signal(int signal, siginfo_t *info, void *context) {
    int error = errno;
    bool is_own = crash_is_armed_process();
    if (is_own) {
        tidings_crash_survived();
        mark_signal(signal);
    }
    if (crash_ends_by_default(signal)) {
        if (is_own) crash_text_release(END_TIMEOUT_MS);
        crash_end_by(signal);
    }
    errno = error;
    crash_call_earlier(signal, info, context);
    error = errno;
    // The process continues.
    if (is_own) replace(mark_of(signal), MARK_RUNS);
    errno = error;
}

void tidings_crash_end_cleanly(void) {
    if (!crash_is_armed_process()) return;
    tidings_crash_survived();
    replace(MARK_RUNS, MARK_CLEAN);
    crash_text_release(END_TIMEOUT_MS);
}

#endif
