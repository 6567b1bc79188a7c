// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// What runs between a fatal signal and the end of a process.
//
// No allocation, lock, stdio or lazy thread-local storage, and no call that is not safe in a
// signal handler: the undefined symbols of this target are a list that the tests compare.

#ifdef __cplusplus
extern "C" {
#endif

/// How much of a report one crash may write; its file has that size before.
#define TIDINGS_CRASH_REPORT_SIZE (256u << 10)
/// How much of what was written to the standard error is kept.
#define TIDINGS_CRASH_TEXT_SIZE (16u << 10)

/// The newest bytes that were written to the standard error, in memory that outlives the process.
struct tidings_crash_text {
    /// How many bytes were ever kept; the next one goes to this number modulo the size.
    uint32_t count;
    /// Zeroes are no text: they stand where some was forgotten.
    uint8_t bytes[TIDINGS_CRASH_TEXT_SIZE];
};

/// What the handler works with. Everything in it must live as long as the process.
struct tidings_crash_setup {
    /// Two files with room for a report each: the second is for a process that went on after a
    /// crash and crashed again.
    int32_t report_files[2];
    /// The end of a pipe that the standard error leads to, not blocking, and where it led before;
    /// -1 when it was not led anywhere.
    int32_t text_pipe;
    int32_t text_output;
    /// Where the text of the standard error is kept, or null.
    struct tidings_crash_text *text;
    /// A word that tells how the run ended, or null: 0 while it runs, 1 when it ended by itself,
    /// and when it ended by a signal 2 with the signal in the second byte.
    uint32_t *end_mark;
    /// Where memory is read through when the system does not allow process_vm_readv:
    /// /proc/self/mem, or -1, and then a pipe.
    int32_t memory_file;
    int32_t memory_pipe[2];
    /// Which ways of reading memory may not be used, for tests: 1 process_vm_readv, 2 the file.
    uint32_t refused_readers;
};

/// Takes the fatal signals and, with an end mark, SIGINT, SIGTERM and SIGHUP unless they are
/// ignored. Returns 0, or the number of the error: EBUSY when they were not given back before.
int32_t tidings_crash_arm(const struct tidings_crash_setup *setup);

/// Gives the signals back whose handler is still this one, and the standard error; nothing is
/// reported any more. A crash that has begun is waited for. Returns -1 when that has no end, or is
/// this thread's own: everything stays as it is then, and so must what the handler works with.
int32_t tidings_crash_disarm(void);

/// Forwards what was written to the standard error and keeps its end; called by one thread, in
/// a loop, whenever the pipe can be read. Returns -1 when nobody can write to it any more.
int32_t tidings_crash_forward(int32_t pipe, int32_t output);

/// Overwrites what was kept of the standard error with zeroes, which mean nothing; waits at most
/// a tenth of a second for what is on its way. Not for a handler.
void tidings_crash_forget_text(void);

/// Says of a crash that the process went on after it, if that is certain: the thread that crashed
/// is not in its handler any more, or the crash is long ago.
void tidings_crash_survived(void);

/// Marks that the run ends by itself and gives the standard error back what is on its way to it;
/// does nothing in a child that was forked.
void tidings_crash_end_cleanly(void);

/// The hash that guards what is written: FNV-1a of 32 bits.
uint32_t tidings_crash_checksum(const void *bytes, uint64_t count, uint32_t start);

#define TIDINGS_CRASH_CHECKSUM_START 2166136261u

#ifdef __cplusplus
}
#endif
