// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

// In a crash, the first thread claims the report, writes the report, and then lets the process end
// as without a handler. Signals raised during the report or shortly afterwards belong to the same
// crash.

/// The phase of the handler.
///
/// A crash is reported completely or not at all. Nothing is reported before arming and after
/// disarming, and crashing threads wait during both.
enum phase { DISARMED = 0, IDLE = 1, WRITING = 2, COMPLETE = 3, CHANGING = 4 };
enum claim { CLAIM_NONE, CLAIM_OWN, CLAIM_OTHER };

/// The maximum time that the earlier handlers are expected to take.
#define CRASH_TIME_NS 2000000000ull
/// The maximum number of bytes that are kept of the C library's abort message.
#define ABORT_MESSAGE_LIMIT 1024u
/// The maximum stack depth of the functions that a handler calls.
#define HANDLER_DEPTH (1u << 20)

struct signal_facts {
    int32_t number, code, error;
    int32_t process, thread, sender_process, sender_user;
    int32_t reserved;
    uint64_t address;
    int64_t seconds, nanoseconds;
};

/// The phase in the lower half, and the owning thread in the upper half.
static _Atomic uint64_t state;
static _Atomic uint64_t completed;
static _Atomic uint32_t reports;
/// The stack range of the last crash's handler, in which a crash belongs to the same crash.
static _Atomic uintptr_t handler_low;
static _Atomic uintptr_t handler_high;

/// The thread that reads untrusted records in the upper half, and the number of the file plus one
/// in the lower half, or 0 if no thread reads.
static _Atomic uint64_t reader;

void tidings_crash_reads(int32_t file) {
    uint64_t thread = (uint64_t)(uint32_t)crash_thread() << 32;
    atomic_store(&reader, file < 0 ? 0 : thread | ((uint32_t)file + 1));
}

/// Counts the crash against the records that this thread was reading.
///
/// The records are not at fault for a crash of any other thread.
static void count_reading(int32_t thread) {
    static const char mark[TIDINGS_CRASH_READING_SIZE] = {'+', '+', '+', '+', '+', '+', '+', '+'};
    uint64_t seen = atomic_load(&reader);
    if (seen == 0 || (int32_t)(seen >> 32) != thread) return;
    if (write((int)(uint32_t)seen - 1, mark, sizeof mark) < 0) return;
}

static void report_signal(int signal, const siginfo_t *info, int32_t thread) {
    struct timespec time = {0};
    clock_gettime(CLOCK_REALTIME, &time);
    struct signal_facts facts = {
        .number = signal, .code = info->si_code, .error = info->si_errno,
        .process = getpid(), .thread = thread,
        .seconds = time.tv_sec, .nanoseconds = time.tv_nsec,
    };
    // The sender and the address overlap in memory.
    if (info->si_code <= 0) {
        facts.sender_process = info->si_pid;
        facts.sender_user = (int32_t)info->si_uid;
    } else {
        facts.address = (uint64_t)(uintptr_t)info->si_addr;
    }
    crash_report_section(SECTION_SIGNAL, &facts, sizeof facts);
}

/// Reports the C library's message of an abort, such as the message of a failed assertion.
static void report_abort_message(int signal) {
    // This is the library's own structure, with the size and the text up to a zero.
    static struct { uint32_t size; char text[ABORT_MESSAGE_LIMIT]; } message;
    uint64_t address = 0;
    uint64_t pointer = (uint64_t)(uintptr_t)crash_setup.abort_message;
    if (signal != SIGABRT || pointer == 0) return;
    if (!crash_memory_read(pointer, &address, sizeof address) || address == 0) return;
    if (!crash_memory_read(address, &message.size, sizeof message.size)) return;
    if (message.size <= sizeof message.size) return;
    uint32_t count = message.size - (uint32_t)sizeof message.size;
    if (count > sizeof message.text) count = sizeof message.text;
    if (!crash_memory_read(address + sizeof message.size, message.text, count)) return;
    uint32_t length = 0;
    while (length < count && message.text[length] != 0) length++;
    if (length > 0) crash_report_section(SECTION_ABORT_MESSAGE, message.text, length);
}

static void report(int signal, siginfo_t *info, const ucontext_t *context, int file, int32_t thread) {
    crash_report_begin(file);
    report_signal(signal, info, thread);
    crash_registers_report(context);
    report_abort_message(signal);
    crash_text_report();
    crash_thread_name_report(thread);
    crash_mappings_read();
    struct crash_place place = crash_place_of(context);
    crash_frames_report(place, FRAME_LIMIT);
    crash_candidates_report(place, STACK_LIMIT);
    crash_mappings_report();
    crash_report_end();
    // Whatever happens to all further threads, the report is complete.
    crash_others_report(thread);
}

static uint64_t state_of(enum phase phase, int32_t thread) {
    return (uint64_t)(uint32_t)thread << 32 | phase;
}

static void note_stack(const ucontext_t *context, uintptr_t here) {
    uintptr_t low = (uintptr_t)context->uc_stack.ss_sp;
    // On the thread's own stack, the handler called everything below.
    bool is_apart = here >= low && here - low < context->uc_stack.ss_size;
    atomic_store(&handler_low, is_apart ? low : here - (here < HANDLER_DEPTH ? here : HANDLER_DEPTH));
    atomic_store(&handler_high, here);
}

/// Whether code of the crashed thread with this stack address was called by the handler.
static bool is_in_handler(uintptr_t here) {
    return here >= atomic_load(&handler_low) && here <= atomic_load(&handler_high);
}

/// Whether a crash was survived, because an earlier handler jumped out of the crash.
static bool is_over(uint64_t seen, int32_t thread, uintptr_t stack) {
    if ((seen & 7u) != COMPLETE) return false;
    if ((int32_t)(seen >> 32) == thread && !is_in_handler(stack)) return true;
    return crash_now() - atomic_load(&completed) >= CRASH_TIME_NS;
}

/// Returns the number of milliseconds for which a thread waits for the crash of another thread.
///
/// The time is twice as long as a report may take. The time is at least one millisecond, in which a
/// crash without other threads claims the report.
static uint64_t turns(void) { return 1 + crash_report_limit() / 500000u; }

/// Claims the right to write a report.
///
/// Without the right, another thread reports this crash, or the crash is not reported.
static enum claim claim(int signal, int32_t thread, uintptr_t stack) {
    enum phase phase = DISARMED;
    for (uint64_t turn = 0; turn < turns(); turn++) {
        uint64_t seen = atomic_load(&state);
        bool is_own = (int32_t)(seen >> 32) == thread;
        phase = seen & 7u;
        if (phase == DISARMED || (is_own && phase == CHANGING)) return CLAIM_NONE;
        // A thread that has waited belongs to this crash, however long the earlier handlers take.
        if (phase == IDLE || (turn == 0 && is_over(seen, thread, stack))) {
            if (atomic_compare_exchange_strong(&state, &seen, state_of(WRITING, thread))) return CLAIM_OWN;
            continue;
        }
        if (is_own && phase == WRITING) crash_report_truncate();
        if (is_own) return CLAIM_OTHER;
        // The writing thread ends the process.
        poll(NULL, 0, 1);
    }
    if (phase == CHANGING) return CLAIM_NONE;
    _exit(128 + signal);
}

/// Reverts a survival mark that another thread set because the earlier handlers took too long.
static void take_survival_back(int signal, int32_t thread, uint32_t number) {
    uint64_t seen = state_of(IDLE, 0);
    if (atomic_load(&reports) != number + 1) return;
    if (!atomic_compare_exchange_strong(&state, &seen, state_of(WRITING, thread))) return;
    crash_report_die();
    crash_mark_crash(signal);
    atomic_store(&state, state_of(COMPLETE, thread));
}

void crash_on_fatal_signal(int signal, siginfo_t *info, void *context) {
    int error = errno;
    int32_t thread = crash_thread();
    enum claim right = CLAIM_NONE;
    if (crash_is_armed_process() && crash_memory_repair(signal, info)) {
        errno = error;
        return;
    }
    // A forked child shares the files but not the crash.
    if (crash_is_armed_process()) {
        right = claim(signal, thread, (uintptr_t)crash_place_of(context).stack);
    }
    if (right == CLAIM_NONE) {
        crash_pass_on(signal, info, context);
        errno = error;
        return;
    }
    if (right == CLAIM_OWN) {
        crash_block(SIGPIPE);
        uint32_t number = atomic_fetch_add(&reports, 1);
        // A process that crashes again has survived the earlier crash.
        if (number == 1 || number == 2) crash_report_recover();
        note_stack(context, (uintptr_t)__builtin_frame_address(0));
        crash_mark_crash(signal);
        count_reading(thread);
        if (number < 2 && crash_setup.report_files[number] >= 0) {
            report(signal, info, context, crash_setup.report_files[number], thread);
        }
        atomic_store(&completed, crash_now());
        atomic_store(&state, state_of(COMPLETE, thread));
        errno = error;
        crash_call_earlier(signal, info, context);
        take_survival_back(signal, thread, number);
    }
    crash_end_by(signal);
}

void tidings_crash_survived(void) {
    uint64_t seen = atomic_load(&state);
    if (!crash_is_armed_process()) return;
    int32_t thread = crash_thread();
    if (!is_over(seen, thread, (uintptr_t)__builtin_frame_address(0))) return;
    if (!atomic_compare_exchange_strong(&state, &seen, state_of(WRITING, thread))) return;
    crash_report_recover();
    crash_unmark_crash();
    atomic_store(&state, state_of(IDLE, 0));
}

/// The thread that is asked for a stack, and the thread that has answered last, or 0 for none.
static _Atomic int32_t asked;
static _Atomic int32_t answered;
static int asked_file = -1;

static void answer(siginfo_t *info, const ucontext_t *context, int32_t thread) {
    crash_report_lend(asked_file);
    report_signal(QUESTION_SIGNAL, info, thread);
    crash_registers_report(context);
    crash_thread_name_report(thread);
    crash_mappings_read();
    struct crash_place place = crash_place_of(context);
    crash_frames_report(place, FRAME_LIMIT);
    crash_candidates_report(place, STACK_LIMIT);
    crash_mappings_report();
    crash_report_end();
    crash_report_take_back();
}

void crash_on_question(int signal, siginfo_t *info, void *context) {
    int error = errno;
    if (crash_others_answer(info, context, crash_thread())) {
        errno = error;
        return;
    }
    bool is_question = info->si_code == SI_QUEUE && info->si_pid == getpid()
        && info->si_value.sival_ptr == (void *)&asked;
    if (!is_question) {
        if (crash_ends_by_default(signal)) crash_end_by(signal);
        crash_call_earlier(signal, info, context);
        errno = error;
        return;
    }
    int32_t thread = crash_thread(), expected = thread;
    uint64_t idle = state_of(IDLE, 0);
    // A crash is more important, but waits for an answer that has started.
    if (crash_is_armed_process()
        && atomic_compare_exchange_strong(&state, &idle, state_of(WRITING, thread))) {
        if (atomic_compare_exchange_strong(&asked, &expected, 0)) {
            answer(info, context, thread);
            atomic_store(&answered, thread);
        }
        atomic_store(&state, state_of(IDLE, 0));
    }
    errno = error;
}

int32_t tidings_crash_ask(int32_t thread, int32_t file, int32_t timeout) {
    if (!crash_takes_questions()) return EBUSY;
    siginfo_t info = {.si_signo = QUESTION_SIGNAL, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_value.sival_ptr = (void *)&asked;
    asked_file = file;
    atomic_store(&answered, 0);
    atomic_store(&asked, thread);
    long process = getpid(), number = QUESTION_SIGNAL;
    if (syscall(SYS_rt_tgsigqueueinfo, process, (long)thread, number, &info) != 0) {
        int32_t error = errno;
        atomic_store(&asked, 0);
        return error;
    }
    for (int32_t turn = 0; turn < timeout; turn++) {
        if (atomic_load(&answered) == thread) return 0;
        poll(NULL, 0, 1);
    }
    int32_t expected = thread;
    if (atomic_compare_exchange_strong(&asked, &expected, 0)) return ETIMEDOUT;
    // The answer has started and uses the file.
    for (uint64_t turn = 0; turn < turns() && atomic_load(&answered) != thread; turn++) {
        poll(NULL, 0, 1);
    }
    return atomic_load(&answered) == thread ? 0 : EINPROGRESS;
}

bool crash_begin_start(bool is_inherited) {
    if (is_inherited) atomic_store(&state, state_of(DISARMED, 0));
    uint64_t seen = state_of(DISARMED, 0);
    return atomic_compare_exchange_strong(&state, &seen, state_of(CHANGING, crash_thread()));
}

void crash_end_start(void) {
    atomic_store(&reports, 0);
    atomic_store(&state, state_of(IDLE, 0));
}

bool crash_begin_stop(void) {
    int32_t thread = crash_thread();
    for (uint64_t turn = 0; turn < turns() + turns() / 2; turn++) {
        tidings_crash_survived();
        uint64_t seen = state_of(IDLE, 0);
        if (atomic_compare_exchange_strong(&state, &seen, state_of(CHANGING, thread))) return true;
        // The call comes from a handler that this thread's own crash has called.
        if ((int32_t)(seen >> 32) == thread) return false;
        poll(NULL, 0, 1);
    }
    return false;
}

void crash_end_stop(void) { atomic_store(&state, state_of(DISARMED, 0)); }

#endif
