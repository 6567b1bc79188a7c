// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CTidingsChild.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int make_pipe(int ends[2]) {
#ifdef __APPLE__
    if (pipe(ends) != 0) return errno;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC) ? errno : 0;
#else
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#endif
}

static int set_attributes(posix_spawnattr_t *attributes) {
    // The program has a group of its own. A signal for the group of the tests then spares the program
    // that removes the folder of the tests.
    int flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef __APPLE__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    return posix_spawnattr_setflags(attributes, (short)flags);
}

static int set_streams(
    posix_spawn_file_actions_t *files, const char *folder, const char *file, int input, int output) {
    int error = folder == NULL ? 0 : posix_spawn_file_actions_addchdir_np(files, folder);
    if (error != 0) return error;
    error = file == NULL ? posix_spawn_file_actions_adddup2(files, input, 0)
                         : posix_spawn_file_actions_addopen(files, 0, file, O_RDONLY, 0);
    if (error != 0 || (error = posix_spawn_file_actions_adddup2(files, output, 1)) != 0) return error;
#ifdef __APPLE__
    return posix_spawn_file_actions_addinherit_np(files, 2);
#else
    return posix_spawn_file_actions_addclosefrom_np(files, 3);
#endif
}

static void close_both(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

int tidings_child_start(
    char *const arguments[],
    char *const environment[],
    const char *folder,
    const char *file,
    int *input,
    int *output,
    pid_t *process
) {
    int to[2], from[2];
    int error = make_pipe(to);
    if (error != 0) return error;
    if ((error = make_pipe(from)) != 0) {
        close_both(to);
        return error;
    }
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    if ((error = set_attributes(&attributes)) == 0 &&
        (error = set_streams(&files, folder, file, to[0], from[1])) == 0) {
        error = posix_spawnp(process, arguments[0], &files, &attributes, arguments, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        close_both(to);
        close_both(from);
        return error;
    }
    close(to[0]);
    close(from[1]);
    *input = to[1];
    *output = from[0];
    return 0;
}
