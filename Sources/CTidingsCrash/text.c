// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <poll.h>
#include <unistd.h>

// Two threads may read the pipe: the one that forwards, and the one that crashed. Each says that
// it is about to before it looks whether the other one has said so, hence one of them sees it.
static _Atomic uint32_t is_forwarding;
static _Atomic uint32_t has_crashed;

static void keep(const uint8_t *bytes, size_t count) {
    struct tidings_crash_text *text = crash_setup.text;
    if (text == NULL) return;
    for (size_t index = 0; index < count; index++) {
        text->bytes[(text->count + index) % TIDINGS_CRASH_TEXT_SIZE] = bytes[index];
    }
    text->count += (uint32_t)count;
}

static void pass_on(const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(crash_setup.text_output, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

/// Returns what `read` has.
static ssize_t move(void) {
    uint8_t bytes[1024];
    ssize_t count;
    do {
        count = read(crash_setup.text_pipe, bytes, sizeof bytes);
    } while (count < 0 && errno == EINTR);
    if (count > 0) {
        keep(bytes, (size_t)count);
        pass_on(bytes, (size_t)count);
    }
    return count;
}

int32_t tidings_crash_forward(void) {
    atomic_store(&is_forwarding, 1);
    int32_t result = 0;
    if (atomic_load(&has_crashed)) {
        poll(NULL, 0, 1);
    } else {
        ssize_t count = move();
        if (count == 0 || (count < 0 && errno != EAGAIN)) result = -1;
    }
    atomic_store(&is_forwarding, 0);
    return result;
}

void crash_text_report(void) {
    if (crash_setup.text_pipe >= 0) {
        atomic_store(&has_crashed, 1);
        // Whoever reads the standard error may have stopped: then the text stays where it is.
        for (int turn = 0; turn < 20 && atomic_load(&is_forwarding); turn++) poll(NULL, 0, 1);
        dup2(crash_setup.text_output, STDERR_FILENO);
        for (int turn = 0; turn < 128 && crash_report_goes_on() && move() > 0; turn++) {}
        atomic_store(&has_crashed, 0);
    }
    if (crash_setup.text != NULL) {
        crash_report_section(SECTION_TEXT, crash_setup.text, sizeof *crash_setup.text);
    }
}

#endif
