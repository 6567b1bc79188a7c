// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// The code that runs between a fatal signal and the end of the process.
//
// It uses no allocation, lock, stdio or lazy thread-local storage, and only async-signal-safe
// functions: the tests compare the undefined symbols of this target with a list.

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum size of a report, which is the size of its preallocated file.
#define TIDINGS_CRASH_REPORT_SIZE (256u << 10)
/// The size of the buffer for the text of the standard error.
#define TIDINGS_CRASH_TEXT_SIZE (16u << 10)

/// The newest bytes of the standard error, in memory that outlives the process.
struct tidings_crash_text {
    /// The total number of bytes written; the next byte goes to this index modulo the size.
    uint32_t count;
    /// Zeros are not text: they replace discarded bytes.
    uint8_t bytes[TIDINGS_CRASH_TEXT_SIZE];
};

/// The resources of the handler. All of them must remain valid until the process ends.
struct tidings_crash_setup {
    /// Two preallocated report files. The second is for a process that survives a crash and crashes
    /// again.
    int32_t report_files[2];
    /// The non-blocking read end of the pipe that replaces the standard error, and the original
    /// standard error; -1 without a pipe.
    int32_t text_pipe;
    int32_t text_output;
    /// The buffer for the text of the standard error, or null.
    struct tidings_crash_text *text;
    /// The word that records how the run ended, or null: 0 while it runs, 1 after a normal end, and
    /// 2 with the signal in the second byte after an end by a signal.
    uint32_t *end_mark;
    /// The means to read memory if process_vm_readv is not permitted: /proc/self/mem or -1, and
    /// then a pipe.
    int32_t memory_file;
    int32_t memory_pipe[2];
    /// The methods of reading memory to disable, for tests: 1 process_vm_readv, 2 the file.
    uint32_t refused_readers;
    /// The address of the C library's pointer to the words with which it aborts, or null.
    const void *abort_message;
    /// The mapped file of the run, and the size of a page. If another program truncates the file, the
    /// handler replaces the lost pages, and the program continues.
    void *run_memory;
    uint64_t run_memory_size;
    uint64_t page_size;
    /// The maximum elapsed time of a report in nanoseconds; 0 means one second. A test sets more,
    /// because it may run on a busy machine.
    uint64_t time_limit;
};

/// Installs handlers for the fatal signals and, with an end mark, for SIGINT, SIGTERM, SIGHUP and
/// SIGPIPE unless they are ignored. Returns 0 or an error number: EBUSY if the handler is already armed.
int32_t tidings_crash_arm(const struct tidings_crash_setup *setup);

/// Restores all handlers that are still this one, and the standard error; nothing is reported
/// afterwards. Waits for a crash in progress. Returns -1 if that crash does not finish or belongs
/// to this thread: nothing changes then, and the resources of the handler must remain valid.
int32_t tidings_crash_disarm(void);

/// Forwards and keeps the text of the standard error. One thread calls it in a loop whenever the
/// pipe is readable. Returns -1 when the pipe has no writer left.
int32_t tidings_crash_forward(int32_t pipe, int32_t output);

/// Overwrites the kept text of the standard error with zeros; waits at most a tenth of a second for
/// text in transit. Do not call it in a signal handler.
void tidings_crash_forget_text(void);

/// Marks the last crash as survived if that is certain: the crashed thread has left its handler, or
/// the crash was long ago.
void tidings_crash_survived(void);

/// Marks the run as ended normally and forwards the rest of the standard error. Has no effect in a
/// forked child.
void tidings_crash_end_cleanly(void);

/// Calls a function on each thread that is created from now on, before its own; null ends that.
void tidings_crash_observe_threads(void (*begins)(void));

/// The system's number of the calling thread.
int32_t tidings_crash_thread(void);

/// Asks another thread of this process for its stack, which it writes to a file in the format of a
/// crash. Waits at most `timeout` milliseconds for the thread, which may block the signal. Returns 0 or
/// an error number: EBUSY if the handler is not armed or another one has the signal, and EINPROGRESS if
/// the thread has begun to answer and may still write to the file. One thread asks at a time; do not
/// call it in a signal handler.
int32_t tidings_crash_ask(int32_t thread, int32_t file, int32_t timeout);

/// Announces that the calling thread reads untrusted records: if it crashes meanwhile, the handler
/// appends TIDINGS_CRASH_READING_SIZE bytes to the file. -1 ends the announcement. One thread reads at
/// a time.
void tidings_crash_reads(int32_t file);

#define TIDINGS_CRASH_READING_SIZE 8

/// The checksum of the sections: 32-bit FNV-1a.
uint32_t tidings_crash_checksum(const void *bytes, uint64_t count, uint32_t start);

#define TIDINGS_CRASH_CHECKSUM_START 2166136261u

#ifdef __cplusplus
}
#endif
