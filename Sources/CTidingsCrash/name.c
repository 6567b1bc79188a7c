// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <fcntl.h>
#include <unistd.h>

void crash_thread_name_report(int32_t thread) {
    char path[64] = "/proc/self/task/";
    char digits[12];
    size_t count = 0, end = 16;
    for (uint32_t rest = (uint32_t)thread; count == 0 || rest > 0; rest /= 10) {
        digits[count++] = (char)('0' + rest % 10);
    }
    while (count > 0) path[end++] = digits[--count];
    crash_copy(path + end, "/comm", sizeof "/comm");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char name[32];
    ssize_t length = read(file, name, sizeof name);
    close(file);
    if (length > 0 && name[length - 1] == '\n') length--;
    if (length > 0) crash_report_section(SECTION_THREAD_NAME, name, (uint32_t)length);
}

#endif
