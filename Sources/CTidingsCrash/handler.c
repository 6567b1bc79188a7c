// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

// How a crash goes: the first thread claims it, writes, and then lets the process end as it would
// have ended. What is called while a report is being written, or shortly after, is part of the
// same crash.

enum phase { IDLE = 0, WRITING = 1, COMPLETE = 2 };

/// Nothing that a handler calls takes longer.
#define CRASH_TIME_NS 2000000000ull
/// How deep what a handler calls can be on the stack of its thread.
#define HANDLER_DEPTH (1u << 20)
#define OWN_SIGNALS (sizeof fatal_signals / sizeof *fatal_signals)
#define END_SIGNALS (sizeof end_signals / sizeof *end_signals)

struct signal_facts {
    int32_t number, code, error;
    int32_t process, thread, sender_process, sender_user;
    int32_t reserved;
    uint64_t address;
    int64_t seconds, nanoseconds;
};

struct tidings_crash_setup crash_setup;

static const int fatal_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction earlier[65];
static bool is_taken[65];
static int32_t armed_process;

/// The phase in the lower half, and whose crash it is in the upper one.
static _Atomic uint64_t state;
static _Atomic uint64_t completed;
static _Atomic uint32_t reports;
/// Where on a stack the handler of the last crash runs: what runs there is a part of it.
static _Atomic uintptr_t handler_low;
static _Atomic uintptr_t handler_high;

static int32_t this_thread(void) { return (int32_t)syscall(SYS_gettid); }

static void set_default(int signal) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

/// Ends the process as the signal would have ended it without any handler.
static void end_by(int signal) {
    set_default(signal);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    syscall(SYS_tgkill, (long)getpid(), (long)this_thread(), (long)signal);
    // Only the first process of a container survives its own signal.
    _exit(128 + signal);
}

static void call_earlier(int signal, siginfo_t *info, void *context) {
    const struct sigaction *action = &earlier[signal];
    if (action->sa_flags & SA_SIGINFO) {
        if (action->sa_sigaction != NULL) action->sa_sigaction(signal, info, context);
    } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
        action->sa_handler(signal);
    }
}

static void mark_end(int signal) {
    if (crash_setup.end_mark != NULL) *crash_setup.end_mark = 2u | (uint32_t)signal << 8;
}

static void report_signal(int signal, const siginfo_t *info, int32_t thread) {
    struct timespec time = {0};
    clock_gettime(CLOCK_REALTIME, &time);
    struct signal_facts facts = {
        .number = signal, .code = info->si_code, .error = info->si_errno,
        .process = getpid(), .thread = thread,
        .seconds = time.tv_sec, .nanoseconds = time.tv_nsec,
    };
    // The two lie in the same bytes.
    if (info->si_code <= 0) {
        facts.sender_process = info->si_pid;
        facts.sender_user = (int32_t)info->si_uid;
    } else {
        facts.address = (uint64_t)(uintptr_t)info->si_addr;
    }
    crash_report_section(SECTION_SIGNAL, &facts, sizeof facts);
}

static void report_thread_name(int32_t thread) {
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

static void report(int signal, siginfo_t *info, const ucontext_t *context, int file, int32_t thread) {
    crash_report_begin(file);
    report_signal(signal, info, thread);
    crash_registers_report(context);
    crash_text_report();
    report_thread_name(thread);
    crash_mappings_read();
    struct crash_place place = crash_place_of(context);
    crash_frames_report(place);
    crash_candidates_report(place);
    crash_mappings_report();
    crash_report_end();
}

static uint64_t state_of(enum phase phase, int32_t thread) {
    return (uint64_t)(uint32_t)thread << 32 | phase;
}

static void note_stack(const ucontext_t *context, uintptr_t here) {
    uintptr_t low = (uintptr_t)context->uc_stack.ss_sp;
    // On the stack of the thread itself everything below was called by the handler.
    bool is_apart = here >= low && here - low < context->uc_stack.ss_size;
    atomic_store(&handler_low, is_apart ? low : here - (here < HANDLER_DEPTH ? here : HANDLER_DEPTH));
    atomic_store(&handler_high, here);
}

/// Whether what runs on the crashed thread, with its stack here, was called by the handler.
static bool is_in_handler(uintptr_t here) {
    return here >= atomic_load(&handler_low) && here <= atomic_load(&handler_high);
}

/// Whether a crash was survived: an earlier handler has jumped out of it.
static bool is_over(uint64_t seen, int32_t thread, uintptr_t stack) {
    if ((seen & 3u) != COMPLETE) return false;
    if ((int32_t)(seen >> 32) == thread && !is_in_handler(stack)) return true;
    return crash_now() - atomic_load(&completed) >= CRASH_TIME_NS;
}

/// Claims the right to write a report; when it returns false this crash has its report, or none.
static bool claim(int signal, int32_t thread, uintptr_t stack) {
    for (int turn = 0; turn < 2000; turn++) {
        uint64_t seen = atomic_load(&state);
        bool is_own = (int32_t)(seen >> 32) == thread;
        enum phase phase = seen & 3u;
        // Whoever had to wait belongs to this crash, however long other handlers take.
        if (phase == IDLE || (turn == 0 && is_over(seen, thread, stack))) {
            if (atomic_compare_exchange_strong(&state, &seen, state_of(WRITING, thread))) return true;
            continue;
        }
        if (is_own && phase == WRITING) crash_report_truncate();
        if (is_own) return false;
        // The one that writes ends the process.
        poll(NULL, 0, 1);
    }
    _exit(128 + signal);
}

static void on_fatal_signal(int signal, siginfo_t *info, void *context) {
    int error = errno;
    int32_t thread = this_thread();
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipes, NULL);
    // A child that was forked shares the files but not the crash.
    if (getpid() == armed_process) {
        if (!claim(signal, thread, (uintptr_t)crash_place_of(context).stack)) end_by(signal);
        uint32_t number = atomic_fetch_add(&reports, 1);
        // Whoever crashes again has survived.
        if (number == 1 || number == 2) crash_report_recover();
        note_stack(context, (uintptr_t)__builtin_frame_address(0));
        mark_end(signal);
        if (number < 2 && crash_setup.report_files[number] >= 0) {
            report(signal, info, context, crash_setup.report_files[number], thread);
        }
        atomic_store(&completed, crash_now());
        atomic_store(&state, state_of(COMPLETE, thread));
    }
    errno = error;
    call_earlier(signal, info, context);
    end_by(signal);
}

static void on_end_signal(int signal, siginfo_t *info, void *context) {
    int error = errno;
    const struct sigaction *action = &earlier[signal];
    bool is_default = !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
    bool is_own = getpid() == armed_process;
    if (is_own) {
        tidings_crash_survived();
        mark_end(signal);
    }
    if (is_default) {
        if (is_own) crash_text_release(END_PATIENCE_MS);
        end_by(signal);
    }
    call_earlier(signal, info, context);
    // The process goes on.
    if (is_own && crash_setup.end_mark != NULL) *crash_setup.end_mark = 0;
    errno = error;
}

void tidings_crash_survived(void) {
    uint64_t seen = atomic_load(&state);
    if (armed_process == 0 || getpid() != armed_process) return;
    int32_t thread = this_thread();
    if (!is_over(seen, thread, (uintptr_t)__builtin_frame_address(0))) return;
    if (!atomic_compare_exchange_strong(&state, &seen, state_of(WRITING, thread))) return;
    crash_report_recover();
    if (crash_setup.end_mark != NULL) *crash_setup.end_mark = 0;
    atomic_store(&state, state_of(IDLE, 0));
}

void tidings_crash_end_cleanly(void) {
    if (armed_process == 0 || getpid() != armed_process) return;
    tidings_crash_survived();
    if (crash_setup.end_mark != NULL) *crash_setup.end_mark = 1;
    crash_text_release(END_PATIENCE_MS);
}

static int32_t take(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = flags};
    // Nothing is blocked: what an earlier handler starts inherits the mask, and may need them.
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, &earlier[signal]) != 0) return errno;
    is_taken[signal] = true;
    return 0;
}

int32_t tidings_crash_arm(const struct tidings_crash_setup *setup) {
    crash_setup = *setup;
    atomic_store(&state, state_of(IDLE, 0));
    atomic_store(&reports, 0);
    armed_process = getpid();
    crash_memory_prepare();
    for (size_t index = 0; index < OWN_SIGNALS; index++) {
        int32_t error = take(fatal_signals[index], on_fatal_signal, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
        if (error != 0) return error;
    }
    if (setup->end_mark == NULL) return 0;
    for (size_t index = 0; index < END_SIGNALS; index++) {
        int signal = end_signals[index];
        struct sigaction now;
        if (sigaction(signal, NULL, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        int32_t error = take(signal, on_end_signal, SA_SIGINFO | SA_ONSTACK | SA_RESTART);
        if (error != 0) return error;
    }
    return 0;
}

int32_t tidings_crash_disarm(void) {
    tidings_crash_survived();
    if (getpid() == armed_process) crash_text_release(END_PATIENCE_MS);
    crash_setup.text_pipe = -1;
    // Whoever took a signal after us still calls us.
    armed_process = 0;
    for (int signal = 1; signal < 65; signal++) {
        struct sigaction now;
        if (!is_taken[signal] || sigaction(signal, NULL, &now) != 0) continue;
        bool is_ours = now.sa_sigaction == on_fatal_signal || now.sa_sigaction == on_end_signal;
        if (is_ours) sigaction(signal, &earlier[signal], NULL);
        is_taken[signal] = false;
    }
    return atomic_load(&state) == 0 ? 0 : -1;
}

#endif
