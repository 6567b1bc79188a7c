// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

// The forwarding thread and the crashed thread may both read the pipe. Each thread announces a read
// before checking the announcement of the second thread, so at least one thread notices a conflict.
enum forwarding { FORWARDING_NOTHING = 0, FORWARDING_READS = 1, FORWARDING_WRITES = 2 };
static _Atomic uint32_t forwarding;
static _Atomic uint32_t has_crashed;

/// Whether the standard error is redirected to the pipe, and whether a thread restores it.
enum text_state { TEXT_FREE = 0, TEXT_LED = 1, TEXT_RELEASING = 2 };
static _Atomic uint32_t text_state;
/// Whether the pipe has no writer left, so that the descriptor may be reused for another file.
static _Atomic uint32_t has_ended;
static dev_t pipe_device;
static ino_t pipe_number;

#define PIECE_SIZE 1024u

/// Whether a descriptor is one end of the pipe, even if the program has closed and reused
/// descriptors.
static bool is_pipe(int file) {
    struct stat facts;
    return fstat(file, &facts) == 0 && facts.st_dev == pipe_device && facts.st_ino == pipe_number;
}

void crash_text_prepare(void) {
    struct stat facts;
    atomic_store(&has_ended, 0);
    bool is_led = crash_setup.text_pipe >= 0 && fstat(crash_setup.text_pipe, &facts) == 0;
    if (is_led) {
        pipe_device = facts.st_dev;
        pipe_number = facts.st_ino;
    }
    atomic_store(&text_state, is_led ? TEXT_LED : TEXT_FREE);
}

static void keep(const uint8_t *bytes, size_t count) {
    struct tidings_crash_text *text = crash_setup.text;
    if (text == NULL) return;
    for (size_t index = 0; index < count; index++) {
        text->bytes[(text->count + index) % TIDINGS_CRASH_TEXT_SIZE] = bytes[index];
    }
    text->count += (uint32_t)count;
}

/// Writes to the original standard error, whose reader may have stopped.
///
/// The function waits at most `timeout` milliseconds per piece, or forever if negative.
static bool pass_on(int output, const uint8_t *bytes, size_t count, int timeout) {
    while (count > 0) {
        struct pollfd wanted = {.fd = output, .events = POLLOUT};
        // A piece is smaller than the space that poll guarantees, so the write does not block.
        if (timeout >= 0 && poll(&wanted, 1, timeout) <= 0) return false;
        ssize_t written = write(output, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/// Reads a piece and returns the result of `read`.
static ssize_t take(int pipe, uint8_t *bytes, size_t size) {
    ssize_t count;
    do {
        count = read(pipe, bytes, size);
    } while (count < 0 && errno == EINTR);
    if (count > 0 && pipe == crash_setup.text_pipe) keep(bytes, (size_t)count);
    return count;
}

int32_t tidings_crash_forward(int32_t pipe, int32_t output) {
    uint8_t bytes[PIECE_SIZE];
    atomic_store(&forwarding, FORWARDING_READS);
    int32_t result = 0;
    if (atomic_load(&has_crashed)) {
        poll(NULL, 0, 1);
    } else {
        ssize_t count = take(pipe, bytes, sizeof bytes);
        if (count > 0) {
            atomic_store(&forwarding, FORWARDING_WRITES);
            pass_on(output, bytes, (size_t)count, -1);
        } else if (count == 0 || errno != EAGAIN) {
            result = -1;
            if (pipe == crash_setup.text_pipe) atomic_store(&has_ended, 1);
        }
    }
    atomic_store(&forwarding, FORWARDING_NOTHING);
    return result;
}

/// Waits for the forwarding thread, whose piece may not be in the text yet, or not in the output.
///
/// The forwarding thread may also be the crashed thread, or blocked because the reader of the
/// output has stopped. In both cases the piece is not forwarded again.
static void wait_for_forwarding(void) {
    for (int turn = 0; turn < 200; turn++) {
        uint32_t seen = atomic_load(&forwarding);
        if (seen == FORWARDING_NOTHING) return;
        struct pollfd wanted = {.fd = crash_setup.text_output, .events = POLLOUT};
        if (turn >= 20 && seen == FORWARDING_WRITES && poll(&wanted, 1, 0) <= 0) return;
        poll(NULL, 0, 1);
    }
}

/// Forwards the rest of the pipe.
static void drain(int timeout) {
    uint8_t bytes[PIECE_SIZE];
    bool is_read = true;
    // The limit exceeds the capacity of a pipe, to which another process may keep writing.
    for (int turn = 0; turn < 128; turn++) {
        ssize_t count = take(crash_setup.text_pipe, bytes, sizeof bytes);
        if (count <= 0) break;
        is_read = is_read
            && pass_on(crash_setup.text_output, bytes, (size_t)count, timeout);
    }
}

void crash_text_release(int timeout) {
    uint32_t seen = TEXT_LED;
    if (!atomic_compare_exchange_strong(&text_state, &seen, TEXT_RELEASING)) {
        // Another thread may be restoring the standard error at the moment.
        for (int turn = 0; turn < timeout && atomic_load(&text_state) == TEXT_RELEASING; turn++) {
            poll(NULL, 0, 1);
        }
        return;
    }
    atomic_store(&has_crashed, 1);
    wait_for_forwarding();
    if (!atomic_load(&has_ended) && is_pipe(crash_setup.text_pipe)) {
        // A redirection by the program remains.
        if (is_pipe(STDERR_FILENO)) dup2(crash_setup.text_output, STDERR_FILENO);
        drain(timeout);
    }
    atomic_store(&has_crashed, 0);
    atomic_store(&text_state, TEXT_FREE);
}

void tidings_crash_forget_text(void) {
    if (crash_setup.text == NULL) return;
    struct pollfd wanted = {.fd = crash_setup.text_pipe, .events = POLLIN};
    // Earlier output must be read first, because unread output would be captured afterwards.
    for (int turn = 0; turn < 1000; turn++) {
        if (poll(&wanted, 1, 0) <= 0 && !atomic_load(&forwarding)) break;
        poll(NULL, 0, 1);
    }
    // The count remains, because another thread may be about to append.
    volatile uint8_t *bytes = crash_setup.text->bytes;
    for (size_t index = 0; index < TIDINGS_CRASH_TEXT_SIZE; index++) bytes[index] = 0;
}

void crash_text_report(void) {
    crash_text_release(CRASH_TIMEOUT_MS);
    if (crash_setup.text != NULL) {
        crash_report_section(SECTION_TEXT, crash_setup.text, sizeof *crash_setup.text);
    }
}

#endif
