// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

// Two threads may read the pipe: the one that forwards, and the one that crashed. Each says that
// it is about to before it looks whether the other one has said so, hence one of them sees it.
static _Atomic uint32_t is_forwarding;
static _Atomic uint32_t has_crashed;

/// Whether the standard error is led through the pipe; one thread gives it back.
enum text_state { TEXT_FREE = 0, TEXT_LED = 1, TEXT_RELEASING = 2 };
static _Atomic uint32_t text_state;
/// Nobody can write to the pipe any more, so its number may be another file's.
static _Atomic uint32_t has_ended;
static dev_t pipe_device;
static ino_t pipe_number;

#define PIECE_SIZE 1024u

/// Whether it is one end of the pipe, whatever the program has done with its numbers.
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

/// Writes to where the standard error led. Whoever reads there may have stopped: it waits at most
/// so many milliseconds for each piece, or for ever when that is negative.
static bool pass_on(int output, const uint8_t *bytes, size_t count, int patience) {
    while (count > 0) {
        struct pollfd wanted = {.fd = output, .events = POLLOUT};
        // What poll allows is less than what fits, so a write of this size does not wait.
        if (patience >= 0 && poll(&wanted, 1, patience) <= 0) return false;
        ssize_t written = write(output, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/// Reads a piece; returns what `read` has.
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
    atomic_store(&is_forwarding, 1);
    int32_t result = 0;
    if (atomic_load(&has_crashed)) {
        poll(NULL, 0, 1);
    } else {
        ssize_t count = take(pipe, bytes, sizeof bytes);
        if (count > 0) {
            pass_on(output, bytes, (size_t)count, -1);
        } else if (count == 0 || errno != EAGAIN) {
            result = -1;
            if (pipe == crash_setup.text_pipe) atomic_store(&has_ended, 1);
        }
    }
    atomic_store(&is_forwarding, 0);
    return result;
}

/// Passes on what is still in the pipe.
static void drain(int patience) {
    uint8_t bytes[PIECE_SIZE];
    bool is_read = true;
    // More turns than a pipe has room for: somebody else may still write to it.
    for (int turn = 0; turn < 128; turn++) {
        ssize_t count = take(crash_setup.text_pipe, bytes, sizeof bytes);
        if (count <= 0) break;
        is_read = is_read
            && pass_on(crash_setup.text_output, bytes, (size_t)count, patience);
    }
}

void crash_text_release(int patience) {
    uint32_t seen = TEXT_LED;
    if (!atomic_compare_exchange_strong(&text_state, &seen, TEXT_RELEASING)) {
        // Another thread may just be about to.
        for (int turn = 0; turn < patience && atomic_load(&text_state) == TEXT_RELEASING; turn++) {
            poll(NULL, 0, 1);
        }
        return;
    }
    atomic_store(&has_crashed, 1);
    // It may have stopped at what it writes: then that stays where it is.
    for (int turn = 0; turn < 20 && atomic_load(&is_forwarding); turn++) poll(NULL, 0, 1);
    if (!atomic_load(&has_ended) && is_pipe(crash_setup.text_pipe)) {
        // What the program has led elsewhere stays there.
        if (is_pipe(STDERR_FILENO)) dup2(crash_setup.text_output, STDERR_FILENO);
        drain(patience);
    }
    atomic_store(&has_crashed, 0);
    atomic_store(&text_state, TEXT_FREE);
}

void tidings_crash_forget_text(void) {
    if (crash_setup.text == NULL) return;
    struct pollfd wanted = {.fd = crash_setup.text_pipe, .events = POLLIN};
    // What was written before and that nobody has read yet must not be kept afterwards.
    for (int turn = 0; turn < 100; turn++) {
        if (poll(&wanted, 1, 0) <= 0 && !atomic_load(&is_forwarding)) break;
        poll(NULL, 0, 1);
    }
    // The count stays: another thread may be about to add to it.
    volatile uint8_t *bytes = crash_setup.text->bytes;
    for (size_t index = 0; index < TIDINGS_CRASH_TEXT_SIZE; index++) bytes[index] = 0;
}

void crash_text_report(void) {
    crash_text_release(CRASH_PATIENCE_MS);
    if (crash_setup.text != NULL) {
        crash_report_section(SECTION_TEXT, crash_setup.text, sizeof *crash_setup.text);
    }
}

#endif
