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
void crash_text_report(void);
/// Leads the standard error to where it led before, with what is still in the pipe; waits at most
/// so many milliseconds for whoever reads there.
void crash_text_release(int patience);
