// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// One thread after another writes calls into the report, which is already complete. The parts of
// the handler therefore still run in one thread at a time.

/// The parts of the report's time limit, until a thread starts and until all have answered.
#define BEGIN_PART 200u
#define ALL_PART 10u

/// The record of a directory's entry, in the format of the system.
struct entry {
    uint64_t inode;
    int64_t next;
    uint16_t size;
    uint8_t kind;
    char name[];
};

/// The thread that is asked, negative during the answer, or 0 before a question and afterwards.
static _Atomic int32_t asked;

static void write_calls(const ucontext_t *context, int32_t thread) {
    if (!crash_report_resume()) return;
    crash_report_section(SECTION_OTHER, &thread, sizeof thread);
    crash_thread_name_report(thread);
    crash_registers_report(context);
    struct crash_place place = crash_place_of(context);
    crash_frames_report(place, OTHER_FRAME_LIMIT);
    crash_candidates_report(place, OTHER_STACK_LIMIT);
}

bool crash_others_answer(const siginfo_t *info, const ucontext_t *context, int32_t thread) {
    if (info->si_code != SI_QUEUE || info->si_pid != getpid()) return false;
    if (info->si_value.sival_ptr != (void *)&asked) return false;
    int32_t expected = thread;
    // Otherwise, the answer comes too late.
    if (atomic_compare_exchange_strong(&asked, &expected, -thread)) {
        write_calls(context, thread);
        atomic_store(&asked, 0);
    }
    return true;
}

static bool has_answered(uint64_t limit) {
    // An answer takes less than a millisecond.
    const struct timespec pause = {.tv_nsec = 100000};
    uint64_t end = crash_now() + limit;
    while (atomic_load(&asked) != 0) {
        if (crash_now() >= end) return false;
        syscall(SYS_nanosleep, &pause, NULL);
    }
    return true;
}

/// Asks a thread, and returns false if the thread still writes, so that no other thread may.
static bool ask(int32_t thread) {
    siginfo_t info = {.si_signo = QUESTION_SIGNAL, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_value.sival_ptr = (void *)&asked;
    atomic_store(&asked, thread);
    long process = getpid(), number = QUESTION_SIGNAL;
    bool is_sent = syscall(SYS_rt_tgsigqueueinfo, process, (long)thread, number, &info) == 0;
    if (is_sent && has_answered(crash_report_limit() / BEGIN_PART)) return true;
    int32_t expected = thread;
    if (atomic_compare_exchange_strong(&asked, &expected, 0)) return true;
    return has_answered(crash_report_limit() / ALL_PART);
}

/// Returns the number that a name contains, or 0 for any other name.
static int32_t number_of(const char *name) {
    int32_t number = 0;
    for (; *name >= '0' && *name <= '9'; name++) number = number * 10 + (*name - '0');
    return *name == 0 ? number : 0;
}

void crash_others_report(int32_t crashed) {
    static _Alignas(struct entry) char entries[4096];
    if (!crash_takes_questions()) return;
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    uint64_t end = crash_now() + crash_report_limit() / ALL_PART;
    uint32_t left = OTHER_LIMIT;
    while (left > 0) {
        long size = syscall(SYS_getdents64, (long)folder, entries, sizeof entries);
        if (size <= 0) break;
        for (long place = 0; place < size && left > 0;) {
            const struct entry *entry = (const void *)(entries + place);
            int32_t thread = number_of(entry->name);
            place += entry->size;
            if (thread == 0 || thread == crashed) continue;
            left = ask(thread) && crash_now() < end ? left - 1 : 0;
        }
    }
    close(folder);
}

#endif
