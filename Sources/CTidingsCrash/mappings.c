// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <fcntl.h>
#include <unistd.h>

struct range {
    uint64_t start, end;
};

/// The record of a mapped file with code, followed by the path, which is padded with zeros to a
/// multiple of eight bytes.
struct mapping {
    uint64_t start, end, offset;
    /// The address where the beginning of the file is mapped, or 0 if not mapped.
    uint64_t base;
    uint32_t path_length;
    uint32_t build_length;
    uint8_t build[BUILD_LIMIT];
};

static struct range ranges[RANGE_LIMIT];
static uint32_t range_count;
static uint8_t mapped[128u << 10];
static uint32_t mapped_size;
/// The last file that was mapped from the beginning, identified by device, inode and path.
static uint64_t head_start;
static uint32_t head_file;

static uint64_t number(const char **text, const char *end) {
    uint64_t value = 0;
    for (; *text < end; (*text)++) {
        char digit = **text;
        if (digit >= '0' && digit <= '9') {
            value = value << 4 | (uint64_t)(digit - '0');
        } else if (digit >= 'a' && digit <= 'f') {
            value = value << 4 | (uint64_t)(digit - 'a' + 10);
        } else {
            break;
        }
    }
    return value;
}

static void skip(const char **text, const char *end, char what) {
    while (*text < end && **text != what) (*text)++;
    while (*text < end && **text == what) (*text)++;
}

static void keep_file(struct mapping mapping, const char *path, const char *end) {
    mapping.path_length = (uint32_t)(end - path);
    uint32_t size = (uint32_t)sizeof mapping + ((mapping.path_length + 7u) & ~7u);
    if (mapped_size + size > sizeof mapped) return;
    for (uint32_t index = 0; index < size; index++) mapped[mapped_size + index] = 0;
    crash_copy(mapped + mapped_size, &mapping, sizeof mapping);
    crash_copy(mapped + mapped_size + sizeof mapping, path, mapping.path_length);
    mapped_size += size;
}

/// Parses a line of the form `start-end rwxp offset device inode path`.
static void take_line(const char *text, const char *end) {
    struct mapping mapping = {0};
    mapping.start = number(&text, end);
    skip(&text, end, '-');
    mapping.end = number(&text, end);
    skip(&text, end, ' ');
    if (end - text < 4) return;
    bool holds_code = text[2] == 'x';
    if (holds_code && range_count < RANGE_LIMIT) {
        ranges[range_count++] = (struct range){mapping.start, mapping.end};
    }
    skip(&text, end, ' ');
    mapping.offset = number(&text, end);
    skip(&text, end, ' ');
    uint64_t size = (uint64_t)(end - text);
    uint32_t identity = tidings_crash_checksum(text, size, TIDINGS_CRASH_CHECKSUM_START);
    if (mapping.offset == 0) {
        head_start = mapping.start;
        head_file = identity;
    }
    if (!holds_code) return;
    if (identity == head_file) mapping.base = head_start;
    for (int field = 0; field < 2; field++) skip(&text, end, ' ');
    if (text < end && *text == '/') keep_file(mapping, text, end);
}

void crash_mappings_read(void) {
    static char chunk[8192];
    range_count = 0;
    mapped_size = 0;
    head_start = 0;
    head_file = 0;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    size_t kept = 0;
    while (crash_report_goes_on()) {
        ssize_t count = read(file, chunk + kept, sizeof chunk - kept);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        size_t filled = kept + (size_t)count, line = 0;
        for (size_t index = kept; index < filled; index++) {
            if (chunk[index] != '\n') continue;
            take_line(chunk + line, chunk + index);
            line = index + 1;
        }
        kept = filled - line;
        // The system writes no line that is longer than the buffer.
        if (kept == sizeof chunk) kept = 0;
        for (size_t index = 0; index < kept; index++) chunk[index] = chunk[line + index];
    }
    close(file);
}

void crash_mappings_report(void) {
    struct mapping mapping;
    for (uint32_t place = 0; place < mapped_size && crash_report_goes_on();) {
        crash_copy(&mapping, mapped + place, sizeof mapping);
        if (mapping.base != 0) {
            mapping.build_length = crash_build_read(mapping.base, mapping.build);
            crash_copy(mapped + place, &mapping, sizeof mapping);
        }
        place += (uint32_t)sizeof mapping + ((mapping.path_length + 7u) & ~7u);
    }
    crash_report_section(SECTION_MAPPINGS, mapped, mapped_size);
}

bool crash_is_code(uint64_t address) {
    for (uint32_t index = 0; index < range_count; index++) {
        if (address >= ranges[index].start && address < ranges[index].end) return true;
    }
    return false;
}

#endif
