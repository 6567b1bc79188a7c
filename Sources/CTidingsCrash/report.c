// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <unistd.h>

/// The header of the file, with numbers in native byte order.
struct head {
    uint8_t magic[8];
    uint32_t version;
    uint32_t flags;
};

struct section_head {
    uint32_t kind;
    uint32_t length;
    uint32_t checksum;
    uint32_t reserved;
};

static int file = -1;
static uint32_t used;
static uint64_t deadline;
static uint64_t work_deadline;
static bool is_late;
static bool is_whole;
static uint32_t last_flags;
static int lent_file = -1;
static uint32_t lent_flags;

static bool write_all(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(file, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        next += written;
        count -= (size_t)written;
    }
    return true;
}

static void write_head(uint32_t flags) {
    last_flags = flags;
    struct head head = {.magic = {'T', 'I', 'D', 'C', 'R', 'S', 'H', '1'}, .version = 1, .flags = flags};
    is_whole = lseek(file, 0, SEEK_SET) == 0 && write_all(&head, sizeof head) && is_whole;
}

uint32_t tidings_crash_checksum(const void *bytes, uint64_t count, uint32_t start) {
    const uint8_t *next = bytes;
    uint32_t hash = start;
    for (uint64_t index = 0; index < count; index++) hash = (hash ^ next[index]) * 16777619u;
    return hash;
}

void crash_copy(void *to, const void *from, size_t count) {
    uint8_t *target = to;
    const uint8_t *source = from;
    for (size_t index = 0; index < count; index++) target[index] = source[index];
}

static uint64_t time_of(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

uint64_t crash_now(void) { return time_of(CLOCK_MONOTONIC); }

uint64_t crash_report_limit(void) {
    return crash_setup.time_limit != 0 ? crash_setup.time_limit : TIME_LIMIT_NS;
}

void crash_report_begin(int to) {
    file = to;
    is_whole = true;
    is_late = false;
    deadline = crash_now() + crash_report_limit();
    work_deadline = time_of(CLOCK_THREAD_CPUTIME_ID) + WORK_LIMIT_NS;
    used = sizeof(struct head);
    write_head(0);
}

bool crash_report_resume(void) {
    // The head was written last.
    if (lseek(file, used, SEEK_SET) != (off_t)used) return false;
    is_late = false;
    uint64_t limit = crash_report_limit() / OTHER_PART;
    deadline = crash_now() + limit;
    // The processor time of a thread counts from the start of the thread.
    work_deadline = time_of(CLOCK_THREAD_CPUTIME_ID) + limit;
    return true;
}

void crash_report_lend(int to) {
    lent_file = file;
    lent_flags = last_flags;
    crash_report_begin(to);
}

void crash_report_take_back(void) {
    file = lent_file;
    last_flags = lent_flags;
}

bool crash_report_goes_on(void) {
    is_late = is_late || crash_now() >= deadline
        || time_of(CLOCK_THREAD_CPUTIME_ID) >= work_deadline;
    return !is_late;
}

void crash_report_section(uint32_t kind, const void *bytes, uint32_t count) {
    struct section_head head = {
        .kind = kind,
        .length = count,
        .checksum = tidings_crash_checksum(bytes, count, TIDINGS_CRASH_CHECKSUM_START),
    };
    if (used + sizeof head + count > TIDINGS_CRASH_REPORT_SIZE) {
        is_whole = false;
        return;
    }
    if (!write_all(&head, sizeof head) || !write_all(bytes, count)) is_whole = false;
    used += (uint32_t)sizeof head + count;
}

void crash_report_end(void) {
    uint32_t flags = REPORT_COMPLETE;
    if (!is_whole) flags |= REPORT_TRUNCATED;
    if (is_late) flags |= REPORT_LATE;
    write_head(flags);
}

void crash_report_truncate(void) { write_head(REPORT_TRUNCATED); }

void crash_report_recover(void) { write_head(last_flags | REPORT_RECOVERED); }

void crash_report_die(void) { write_head(last_flags & ~(uint32_t)REPORT_RECOVERED); }

#endif
