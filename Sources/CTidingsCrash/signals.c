// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <sys/syscall.h>
#include <unistd.h>

// Installs the handlers, and calls and restores the earlier handlers.

#define FATAL_SIGNALS (sizeof fatal_signals / sizeof *fatal_signals)
#define END_SIGNALS (sizeof end_signals / sizeof *end_signals)
/// The number of times a signal may be passed between handlers before the process ends.
#define PASS_LIMIT 64u

struct tidings_crash_setup crash_setup;

static const int fatal_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
static struct sigaction earlier[65];
static bool is_taken[65];
/// Whether a one-shot handler (SA_RESETHAND) was already called.
static _Atomic bool is_spent[65];
static _Atomic int32_t armed_process;
static _Atomic uint32_t resent;
static _Atomic uint32_t depth;

int32_t crash_thread(void) { return (int32_t)syscall(SYS_gettid); }

int32_t tidings_crash_thread(void) { return crash_thread(); }

bool crash_is_armed_process(void) { return atomic_load(&armed_process) == getpid(); }

static sigset_t set_of(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

void crash_block(int signal) {
    sigset_t set = set_of(signal);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void unblock(int signal) {
    sigset_t set = set_of(signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static struct sigaction default_action(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    return action;
}

void crash_end_by(int signal) {
    struct sigaction action = default_action();
    sigaction(signal, &action, NULL);
    unblock(signal);
    syscall(SYS_tgkill, (long)getpid(), (long)crash_thread(), (long)signal);
    // Only the first process of a container survives its own signal.
    _exit(128 + signal);
}

static bool is_function(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static bool is_ours(const struct sigaction *action) {
    if (!(action->sa_flags & SA_SIGINFO)) return false;
    return action->sa_sigaction == crash_on_fatal_signal || action->sa_sigaction == crash_on_end_signal
        || action->sa_sigaction == crash_on_question;
}

void crash_call_earlier(int signal, siginfo_t *info, void *context) {
    const struct sigaction *action = &earlier[signal];
    if (!is_function(action)) return;
    if (action->sa_flags & SA_SIGINFO) {
        action->sa_sigaction(signal, info, context);
    } else {
        action->sa_handler(signal);
    }
}

bool crash_ends_by_default(int signal) {
    const struct sigaction *action = &earlier[signal];
    bool is_once = is_function(action) && (action->sa_flags & SA_RESETHAND);
    if (is_once && atomic_exchange(&is_spent[signal], true)) return true;
    return action->sa_handler == SIG_DFL;
}

/// Sends the signal to this thread again, to arrive when the handler has returned.
static bool resend(int signal, siginfo_t *info) {
    crash_block(signal);
    long process = getpid(), thread = crash_thread();
    if (syscall(SYS_rt_tgsigqueueinfo, process, thread, (long)signal, info) == 0) return true;
    unblock(signal);
    return false;
}

void crash_pass_on(int signal, siginfo_t *info, void *context) {
    const struct sigaction *before = &earlier[signal];
    struct sigaction now = default_action();
    sigaction(signal, NULL, &now);
    if (is_ours(&now)) {
        sigaction(signal, before, NULL);
        now = *before;
    }
    // The system then calls the earlier handler with that handler's own mask and stack.
    bool is_back = now.sa_handler == before->sa_handler;
    if (is_back && atomic_fetch_add(&resent, 1) < PASS_LIMIT && resend(signal, info)) return;
    // Another handler has the signal and called this handler. The calling handler decides about
    // everything after this call.
    if (before->sa_handler == SIG_DFL || atomic_fetch_add(&depth, 1) >= PASS_LIMIT) crash_end_by(signal);
    crash_call_earlier(signal, info, context);
    atomic_fetch_sub(&depth, 1);
}

static int32_t take(int signal, struct sigaction *action) {
    struct sigaction before;
    action->sa_flags |= SA_SIGINFO;
    if (sigaction(signal, action, &before) != 0) return errno;
    // A forked child inherits this handler and the saved earlier handlers.
    if (!is_ours(&before)) {
        earlier[signal] = before;
        atomic_store(&is_spent[signal], false);
    }
    is_taken[signal] = true;
    return 0;
}

static int32_t take_fatal(int signal) {
    // No signals are blocked, because code that an earlier handler starts inherits the mask and may
    // need the signals.
    struct sigaction action = default_action();
    action.sa_sigaction = crash_on_fatal_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    return take(signal, &action);
}

static int32_t take_end(int signal) {
    struct sigaction now, action = default_action();
    if (sigaction(signal, NULL, &now) != 0 || now.sa_handler == SIG_IGN) return 0;
    // The system ignores SIGPIPE for the first process of a container, whose write then fails.
    if (signal == SIGPIPE && getpid() == 1) return 0;
    if (is_function(&now)) {
        // The action keeps the program's choice of restarting, blocking and stack.
        action.sa_mask = now.sa_mask;
        action.sa_flags = now.sa_flags & (SA_RESTART | SA_NODEFER | SA_ONSTACK);
    } else {
        action.sa_flags = SA_ONSTACK | SA_RESTART;
    }
    action.sa_sigaction = crash_on_end_signal;
    return take(signal, &action);
}

/// Installs the handler for questions, unless the program measures itself with the same signal.
static int32_t take_question(void) {
    struct sigaction now, action = default_action();
    if (sigaction(QUESTION_SIGNAL, NULL, &now) != 0) return errno;
    if (now.sa_handler != SIG_DFL && !is_ours(&now)) return 0;
    action.sa_sigaction = crash_on_question;
    // A signal from outside waits for the end of the answer, and is then reported. SIGSEGV and
    // SIGBUS are not blocked, because reading memory needs both faults.
    for (size_t index = 0; index < FATAL_SIGNALS; index++) {
        int fatal = fatal_signals[index];
        if (fatal != SIGSEGV && fatal != SIGBUS) sigaddset(&action.sa_mask, fatal);
    }
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    return take(QUESTION_SIGNAL, &action);
}

bool crash_takes_questions(void) {
    struct sigaction now;
    return crash_is_armed_process() && sigaction(QUESTION_SIGNAL, NULL, &now) == 0 && is_ours(&now);
}

static int32_t take_all(void) {
    for (size_t index = 0; index < FATAL_SIGNALS; index++) {
        int32_t error = take_fatal(fatal_signals[index]);
        if (error != 0) return error;
    }
    for (size_t index = 0; index < END_SIGNALS && crash_setup.end_mark != NULL; index++) {
        int32_t error = take_end(end_signals[index]);
        if (error != 0) return error;
    }
    return take_question();
}

static void give_back(int signal) {
    struct sigaction now, before = earlier[signal];
    if (!is_taken[signal] || sigaction(signal, NULL, &now) != 0) return;
    if (atomic_load(&is_spent[signal])) before = default_action();
    if (is_ours(&now)) sigaction(signal, &before, NULL);
    is_taken[signal] = false;
}

int32_t tidings_crash_arm(const struct tidings_crash_setup *setup) {
    int32_t process = getpid();
    int32_t armed = atomic_load(&armed_process);
    if (!crash_begin_start(armed != 0 && armed != process)) return EBUSY;
    crash_setup = *setup;
    atomic_store(&resent, 0);
    atomic_store(&depth, 0);
    crash_text_prepare();
    crash_memory_prepare();
    atomic_store(&armed_process, process);
    crash_end_start();
    return take_all();
}

int32_t tidings_crash_disarm(void) {
    if (!crash_is_armed_process()) return 0;
    if (!crash_begin_stop()) return -1;
    crash_text_release(END_TIMEOUT_MS);
    crash_setup.text_pipe = -1;
    for (int signal = 1; signal < 65; signal++) give_back(signal);
    // A handler that was installed later may still call this handler.
    atomic_store(&armed_process, 0);
    crash_end_stop();
    return 0;
}

#endif
