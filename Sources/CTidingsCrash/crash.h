// SPDX-License-Identifier: Apache-2.0
#pragma once

#define _GNU_SOURCE
#include "CTidingsCrash.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>
#include <ucontext.h>

// The parts of the handler. One thread at a time runs them, so all that they keep is static.

#define FRAME_LIMIT 256u
#define STACK_LIMIT (32u << 10)
#define RANGE_LIMIT 1024u
#define CANDIDATE_LIMIT 1024u
#define BUILD_LIMIT 32u
/// Of the processor's time, and of anybody's: on a busy machine the handler waits for its turn.
#define WORK_LIMIT_NS 100000000ull
#define TIME_LIMIT_NS 1000000000ull
#define CRASH_PATIENCE_MS 5
#define END_PATIENCE_MS 500

extern struct tidings_crash_setup crash_setup;

uint64_t crash_now(void);
void crash_copy(void *to, const void *from, size_t count);

// signals.c: whose the signals are.
int32_t crash_thread(void);
/// Whether this is the process that took the signals, and not a child that was forked.
bool crash_is_armed_process(void);
void crash_block(int signal);
/// Ends the process as the signal would have ended it without any handler.
void crash_end_by(int signal);
void crash_call_earlier(int signal, siginfo_t *info, void *context);
/// Whether nobody before handles a signal that is there now.
bool crash_ends_by_default(int signal);
/// Leaves a fatal signal to whoever would have had it without us.
void crash_pass_on(int signal, siginfo_t *info, void *context);

// handler.c: a crash, from its signal to the end.
void crash_on_fatal_signal(int signal, siginfo_t *info, void *context);
/// Between these two whoever crashes waits. The first returns false when there is something that
/// was not stopped.
bool crash_begin_start(bool is_inherited);
void crash_end_start(void);
/// Likewise. The first waits for a crash that has begun; it returns false when that has no end.
bool crash_begin_stop(void);
void crash_end_stop(void);

// end.c: the mark that tells how a run ended.
void crash_on_end_signal(int signal, siginfo_t *info, void *context);
void crash_mark_crash(int signal);
/// Takes the mark of the last crash back.
void crash_unmark_crash(void);

// memory.c: reads that fail where another one would crash.
void crash_memory_prepare(void);
bool crash_memory_read(uint64_t address, void *to, size_t count);

// report.c: the file, section by section.
enum section {
    SECTION_SIGNAL = 1,
    SECTION_REGISTERS = 2,
    SECTION_THREAD_NAME = 3,
    SECTION_FRAMES = 4,
    SECTION_CANDIDATES = 5,
    SECTION_MAPPINGS = 6,
    SECTION_TEXT = 7,
};
enum { REPORT_COMPLETE = 1u, REPORT_TRUNCATED = 2u, REPORT_LATE = 4u, REPORT_RECOVERED = 8u };
void crash_report_begin(int file);
/// Whether there is still time.
bool crash_report_goes_on(void);
void crash_report_section(uint32_t kind, const void *bytes, uint32_t count);
void crash_report_end(void);
void crash_report_truncate(void);
/// Says of the report that was written last that the process went on after it.
void crash_report_recover(void);
/// Takes that back.
void crash_report_die(void);

// mappings.c: where code is.
void crash_mappings_read(void);
void crash_mappings_report(void);
bool crash_is_code(uint64_t address);

// build.c: which build of a file is mapped. Returns how many bytes its build id has; 0 for none.
uint32_t crash_build_read(uint64_t base, uint8_t *build);

// stack.c: who called whom.
struct crash_place {
    uint64_t counter, stack, frame, link;
};
struct crash_place crash_place_of(const ucontext_t *context);
void crash_registers_report(const ucontext_t *context);
void crash_frames_report(struct crash_place place);
void crash_candidates_report(struct crash_place place);

// text.c: the standard error.
void crash_text_prepare(void);
void crash_text_report(void);
/// Leads the standard error to where it led before, with what is still in the pipe; waits at most
/// so many milliseconds for whoever reads there.
void crash_text_release(int patience);
