// SPDX-License-Identifier: Apache-2.0
// Starts a program that can neither outlive its parent nor exceed its limits.
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct tidings_child_limits {
    uint64_t cpu_seconds;
    uint64_t memory_bytes;
    uint64_t file_bytes;
    uint64_t open_files;
};

/// Starts the program at `path` and stores its process number. Returns 0, or the errno of the step that failed.
///
/// The program is killed when the calling thread ends. It leads a session of its own, has no descriptor but the
/// three given, every signal at its default, and no way to gain rights.
int tidings_child_start(
    const char *path,
    char *const arguments[],
    char *const environment[],
    const char *directory,
    int input,
    int output,
    int error,
    const struct tidings_child_limits *limits,
    pid_t *process
);

/// Makes a pipe whose ends no other program inherits. Returns 0, or -1 with errno.
int tidings_child_make_pipe(int ends[2]);

/// Lets a pipe hold about 1 MiB, if the system allows it, and makes writes to it return at once.
void tidings_child_widen_pipe(int descriptor);
