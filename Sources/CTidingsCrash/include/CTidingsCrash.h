// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// The code that runs between a fatal signal and the end of the process.
//
// The code uses no allocation, lock, stdio or lazy thread-local storage, and only async-signal-safe
// functions. The tests compare the undefined symbols of this target with a list.

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum size of a report, which is the size of the preallocated file.
#define TIDINGS_CRASH_REPORT_SIZE (256u << 10)
/// The size of the buffer for the text of the standard error.
#define TIDINGS_CRASH_TEXT_SIZE (16u << 10)

/// The newest bytes of the standard error, in memory that outlives the process.
struct tidings_crash_text {
    /// The total number of bytes written, whose remainder by the size is the next index.
    uint32_t count;
    /// The text as a ring, in which zeros replace discarded bytes.
    uint8_t bytes[TIDINGS_CRASH_TEXT_SIZE];
};

/// The resources of the handler, all of which must remain valid until the process ends.
struct tidings_crash_setup {
    /// Two preallocated report files.
    ///
    /// The second file is for a process that survives a crash and crashes again.
    int32_t report_files[2];
    /// The non-blocking read end of the pipe that replaces the standard error, and the original
    /// standard error, or -1 without a pipe.
    int32_t text_pipe;
    int32_t text_output;
    /// The buffer for the text of the standard error, or null.
    struct tidings_crash_text *text;
    /// The word that records how the run ended, or null.
    ///
    /// The word is 0 during the run, 1 after a normal end, and 2 with the signal in the second byte
    /// after an end by a signal.
    uint32_t *end_mark;
    /// The means to read memory if process_vm_readv is not permitted: /proc/self/mem or -1, and
    /// then a pipe.
    int32_t memory_file;
    int32_t memory_pipe[2];
    /// The methods of reading memory to disable, for tests: 1 process_vm_readv, 2 the file.
    uint32_t refused_readers;
    /// The address of the C library's pointer to the message of an abort, or null.
    const void *abort_message;
    /// The mapped file of the run, and the size of a page.
    ///
    /// If another program truncates the file, the handler replaces the lost pages, and the program
    /// continues.
    void *run_memory;
    uint64_t run_memory_size;
    uint64_t page_size;
    /// The maximum elapsed time of a report in nanoseconds, where 0 means one second.
    ///
    /// A test sets a longer time, because the machine may be busy.
    uint64_t time_limit;
};

/// Installs handlers for the fatal signals and, with an end mark, for the signals that end a run.
///
/// The signals that end a run are SIGINT, SIGTERM, SIGHUP and SIGPIPE unless they are ignored. The
/// function returns 0 or an error number, which is EBUSY if the handler is already armed.
int32_t tidings_crash_arm(const struct tidings_crash_setup *setup);

/// Restores the standard error, and the earlier handler of each signal that still has this handler.
///
/// Nothing is reported afterwards. The function waits for a crash in progress, and returns -1 if
/// the crash does not finish or belongs to this thread. In this case nothing changes, and the
/// resources of the handler must remain valid.
int32_t tidings_crash_disarm(void);

/// Forwards and keeps the text of the standard error.
///
/// One thread calls this function in a loop whenever the pipe is readable. The function returns -1
/// when the pipe has no writer left.
int32_t tidings_crash_forward(int32_t pipe, int32_t output);

/// Overwrites the kept text of the standard error with zeros.
///
/// The function waits about a second at most for text in transit, and must not be called in a
/// signal handler.
void tidings_crash_forget_text(void);

/// Marks the last crash as survived if survival is certain.
///
/// Survival is certain if the crashed thread has left the handler, or if the crash was long ago.
void tidings_crash_survived(void);

/// Marks the run as ended normally and forwards the rest of the standard error.
///
/// The function has no effect in a forked child.
void tidings_crash_end_cleanly(void);

/// Calls a function at the start of each thread that is created from now on, or none for null.
void tidings_crash_observe_threads(void (*begins)(void));

/// Returns the system's number of the calling thread.
int32_t tidings_crash_thread(void);

/// Asks another thread of this process to write its stack to a file, in the format of a crash.
///
/// The function waits at most `timeout` milliseconds for the thread, which may block the signal,
/// and longer only for an answer that has started. The function returns 0 or an error number. EBUSY
/// means that the handler is not armed or that another handler has the signal. EINPROGRESS means
/// that the thread has started to answer and may still write to the file. One thread asks at a
/// time, and never in a signal handler.
int32_t tidings_crash_ask(int32_t thread, int32_t file, int32_t timeout);

/// Announces that the calling thread reads untrusted records, or ends the announcement with -1.
///
/// If the thread crashes while reading, the handler appends TIDINGS_CRASH_READING_SIZE bytes to the
/// file. One thread reads at a time.
void tidings_crash_reads(int32_t file);

#define TIDINGS_CRASH_READING_SIZE 8

/// Returns the checksum of a section, which is 32-bit FNV-1a.
uint32_t tidings_crash_checksum(const void *bytes, uint64_t count, uint32_t start);

#define TIDINGS_CRASH_CHECKSUM_START 2166136261u

#ifdef __cplusplus
}
#endif
