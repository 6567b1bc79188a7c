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

// The parts of the handler. One thread at a time runs the parts, so their state is static.

/// The signal that asks a thread for a stack, which the threads of a dispatch queue do not block.
#define QUESTION_SIGNAL SIGPROF
#define FRAME_LIMIT 256u
#define STACK_LIMIT (32u << 10)
/// The same limits for each thread that did not crash.
#define OTHER_FRAME_LIMIT 32u
#define OTHER_STACK_LIMIT (4u << 10)
#define OTHER_LIMIT 64u
/// The part of the report's time limit in which a thread writes the calls.
#define OTHER_PART 50u
#define RANGE_LIMIT 1024u
#define CANDIDATE_LIMIT 1024u
#define LINK_LIMIT 1024u
#define CONTEXT_LIMIT 512u
/// The maximum number of suspended callers of one frame.
#define CALLER_LIMIT 64u
#define BUILD_LIMIT 32u
/// The limits of processor time and, unless the setup has another limit, of elapsed time.
///
/// The limits differ, because the handler waits for the processor on a busy machine.
#define WORK_LIMIT_NS 100000000ull
#define TIME_LIMIT_NS 1000000000ull
#define CRASH_TIMEOUT_MS 5
#define END_TIMEOUT_MS 500

extern struct tidings_crash_setup crash_setup;

uint64_t crash_now(void);
void crash_copy(void *to, const void *from, size_t count);

// signals.c: installing, forwarding and restoring signal handlers.
int32_t crash_thread(void);
/// Whether this process armed the handler, rather than being a forked child of that process.
bool crash_is_armed_process(void);
void crash_block(int signal);
/// Ends the process as the signal would without any handler.
void crash_end_by(int signal);
void crash_call_earlier(int signal, siginfo_t *info, void *context);
/// Whether the signal, which has just arrived, has no earlier handler.
bool crash_ends_by_default(int signal);
/// Whether threads can be asked for their stacks, because no other handler has the signal.
bool crash_takes_questions(void);
/// Passes a fatal signal on to the earlier handler or the default action.
void crash_pass_on(int signal, siginfo_t *info, void *context);

// handler.c: a crash, from its signal to the end.
void crash_on_fatal_signal(int signal, siginfo_t *info, void *context);
/// Writes the stack of this thread, for which another thread has asked.
void crash_on_question(int signal, siginfo_t *info, void *context);
/// Crashing threads wait between these two calls.
///
/// The first call returns false if the handler is already armed.
bool crash_begin_start(bool is_inherited);
void crash_end_start(void);
/// Crashing threads wait between these two calls.
///
/// The first call waits for a crash in progress and returns false if the crash does not finish.
bool crash_begin_stop(void);
void crash_end_stop(void);

// end.c: the mark that records how a run ended.
void crash_on_end_signal(int signal, siginfo_t *info, void *context);
void crash_mark_crash(int signal);
/// Reverts the mark of the last crash.
void crash_unmark_crash(void);

// memory.c: reads that fail instead of crashing.
void crash_memory_prepare(void);
bool crash_memory_read(uint64_t address, void *to, size_t count);
/// Replaces the pages that a truncated file of the run has lost, and returns whether the loss was
/// the reason for the signal.
bool crash_memory_repair(int signal, const siginfo_t *info);

// report.c: the report file, section by section.
enum section {
    SECTION_SIGNAL = 1,
    SECTION_REGISTERS = 2,
    SECTION_THREAD_NAME = 3,
    SECTION_FRAMES = 4,
    SECTION_CANDIDATES = 5,
    SECTION_MAPPINGS = 6,
    SECTION_TEXT = 7,
    SECTION_ABORT_MESSAGE = 8,
    SECTION_CONTEXTS = 9,
    SECTION_PLACES = 10,
    SECTION_LINKS = 11,
    /// The number of a thread that did not crash, to which the following sections belong.
    SECTION_OTHER = 12,
};
enum { REPORT_COMPLETE = 1u, REPORT_TRUNCATED = 2u, REPORT_LATE = 4u, REPORT_RECOVERED = 8u };
/// The maximum elapsed time of a report in nanoseconds.
uint64_t crash_report_limit(void);
void crash_report_begin(int file);
/// Gives the calling thread some time for further sections when the report has ended.
///
/// The function returns false if no section can be written.
bool crash_report_resume(void);
/// Between these two calls another file is written, which is not the report of a crash.
void crash_report_lend(int to);
void crash_report_take_back(void);
/// Whether there is time left.
bool crash_report_goes_on(void);
void crash_report_section(uint32_t kind, const void *bytes, uint32_t count);
void crash_report_end(void);
void crash_report_truncate(void);
/// Marks the last written report as the report of a survived crash.
void crash_report_recover(void);
/// Reverts `crash_report_recover`.
void crash_report_die(void);

// mappings.c: the location of code.
void crash_mappings_read(void);
void crash_mappings_report(void);
bool crash_is_code(uint64_t address);

// build.c: the build of a mapped file. The function returns the number of bytes of the build ID, or
// 0 without a build ID.
uint32_t crash_build_read(uint64_t base, uint8_t *build);

// stack.c: the call stack.
struct crash_place {
    uint64_t counter, stack, frame, link;
};
struct crash_place crash_place_of(const ucontext_t *context);
void crash_registers_report(const ucontext_t *context);
void crash_frames_report(struct crash_place place, uint32_t limit);
/// Reports possible return addresses in the first `size` bytes of the stack, at most `STACK_LIMIT`.
void crash_candidates_report(struct crash_place place, uint32_t size);

// name.c: the name of a thread.
void crash_thread_name_report(int32_t thread);

// others.c: the threads that did not crash.
/// Asks each thread for the calls, and waits for the answers for a limited time.
void crash_others_report(int32_t crashed);
/// Writes the calls of this thread if the crashed thread has asked, and returns whether the signal
/// was this question.
bool crash_others_answer(const siginfo_t *info, const ucontext_t *context, int32_t thread);

// text.c: the standard error.
void crash_text_prepare(void);
void crash_text_report(void);
/// Restores the standard error and forwards the rest of the pipe.
///
/// The function waits at most `timeout` milliseconds for the reader of the standard error.
void crash_text_release(int timeout);
