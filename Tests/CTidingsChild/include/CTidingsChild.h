// SPDX-License-Identifier: Apache-2.0
#ifndef CTIDINGSCHILD_H
#define CTIDINGSCHILD_H

#include <sys/types.h>

/// Starts a program that inherits no descriptors but the three standard streams.
///
/// PATH may name the program. The program reads from a file or, without a file, from `input`. The
/// program prints to `output`. A folder is optional. Both descriptors close on exec.
///
/// Returns zero or the number of an error.
int tidings_child_start(
    char *const arguments[],
    char *const environment[],
    const char *folder,
    const char *file,
    int *input,
    int *output,
    pid_t *process);

#endif
