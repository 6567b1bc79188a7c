// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "COfflineChild.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// The child borrows the memory of the thread that starts it, which waits until the child executes the
// program. A fork would copy the page tables of the whole program, and then fault for each page that
// is written next.
#ifdef __linux__
#define START_CHILD vfork
#else
#define START_CHILD fork
#endif

// The functions before `offline_child_start` run in the child of a program with threads. These
// functions therefore only make calls that are safe in a signal handler, and change no memory but
// their own.

static int limit(int resource, uint64_t value) {
    struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &limit);
}

static int set_limits(const struct offline_child_limits *limits) {
    // If the parent already has a lower priority, the child keeps that priority.
    if (limits->niceness > getpriority(PRIO_PROCESS, 0)) setpriority(PRIO_PROCESS, 0, limits->niceness);
    return limit(RLIMIT_CPU, limits->cpu_seconds) || limit(RLIMIT_AS, limits->memory_bytes)
        || limit(RLIMIT_FSIZE, limits->file_bytes) || limit(RLIMIT_NOFILE, limits->open_files)
        || limit(RLIMIT_CORE, 0);
}

int offline_child_can_limit_network(void) {
#ifdef SYS_landlock_create_ruleset
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 4;
#else
    return 0;
#endif
}

// If the kernel cannot limit the network, the child keeps the network.
static int limit_network(unsigned port) {
#ifdef SYS_landlock_create_ruleset
    struct { uint64_t files, network; } handled = {.network = 1 | 2};
    struct { uint64_t access, port; } rule = {.access = 2, .port = port};
    if (!offline_child_can_limit_network()) return 0;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0) return -1;
    if (port != 0 && syscall(SYS_landlock_add_rule, rules, 2, &rule, 0) != 0) return -1;
    return (int)syscall(SYS_landlock_restrict_self, rules, 0);
#else
    (void)port;
    return 0;
#endif
}

static void close_on_exec_from(int first) {
#ifdef __linux__
    if (close_range((unsigned)first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
#endif
    struct rlimit limit;
    int last = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1 << 20 ? (int)limit.rlim_cur : 1 << 20;
    for (int descriptor = first; descriptor < last; descriptor++) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
}

// Duplicates the descriptors above 2 first. A parent that started without descriptors 0, 1 or 2 may
// have reused these numbers.
static int set_descriptors(int input, int output, int error) {
    int in = fcntl(input, F_DUPFD_CLOEXEC, 3);
    int out = fcntl(output, F_DUPFD_CLOEXEC, 3);
    int err = fcntl(error, F_DUPFD_CLOEXEC, 3);
    if (in < 0 || out < 0 || err < 0) return -1;
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) return -1;
    close_on_exec_from(3);
    return 0;
}

static int die_with(pid_t parent) {
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
#endif
    // The parent may have died before prctl.
    if (getppid() != parent) _exit(127);
    return 0;
}

static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int offline_child_start(
    const char *path,
    char *const arguments[],
    char *const environment[],
    const char *directory,
    int input,
    int output,
    int error,
    const struct offline_child_limits *limits,
    pid_t *process
) {
    int status[2];
    if (pipe2(status, O_CLOEXEC) != 0) return errno;
    // The parent's signal handlers must not run in the child before the child resets the signals.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid();
    pid_t child = START_CHILD();
    if (child == 0) {
        // This block changes no variable that the parent reads.
        int channel = fcntl(status[1], F_DUPFD_CLOEXEC, 3);
        if (channel >= 0 && die_with(parent) == 0 && setsid() >= 0
            && set_descriptors(input, output, error) == 0 && chdir(directory) == 0
            && (limits->keeps_network || limit_network(limits->network_port) == 0)
            && set_limits(limits) == 0) {
            reset_signals();
            execve(path, arguments, environment);
        }
        int failure = errno;
        ssize_t written = write(channel, &failure, sizeof failure);
        _exit(written == sizeof failure ? 127 : 126);
    }
    int failure = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(status[1]);
    if (child > 0) {
        int child_error = 0;
        ssize_t count;
        while ((count = read(status[0], &child_error, sizeof child_error)) < 0 && errno == EINTR) continue;
        if (count != 0) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
            failure = count == sizeof child_error ? child_error : EIO;
        }
    }
    close(status[0]);
    *process = child;
    return failure;
}

int offline_child_exit_descriptor(pid_t process) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, process, 0);
#else
    (void)process;
    return -1;
#endif
}

int offline_child_make_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int offline_child_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

void offline_child_widen_pipe(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
#ifdef F_SETPIPE_SZ
    fcntl(descriptor, F_SETPIPE_SZ, 1 << 20);
#endif
}
