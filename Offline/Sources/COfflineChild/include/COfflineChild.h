// SPDX-License-Identifier: Apache-2.0
// Starts a child process that ends with the parent and stays within the given limits.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// The resource limits of a child process.
struct offline_child_limits {
    uint64_t cpu_seconds;
    uint64_t memory_bytes;
    uint64_t file_bytes;
    uint64_t open_files;
    /// The only TCP port to which the child can connect if the kernel has Landlock, or 0 for none.
    unsigned network_port;
    /// Whether the child can connect to all ports.
    unsigned keeps_network;
    /// The niceness of the child, from 0 to 19. Other programs come first with a higher value.
    int niceness;
};

/// Starts the program at `path` and stores the process number in `process`. Returns 0, or the errno
/// of the failed step.
///
/// The system kills the program when the calling thread ends. The program leads a new session, has
/// only the three given descriptors and default signal handlers, and cannot gain privileges.
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
);

/// Whether the kernel can keep a child from the network, which requires Landlock version 4 or
/// later.
int offline_child_can_limit_network(void);

/// Returns a descriptor that becomes readable when the process exits, or -1 if the kernel cannot
/// create one.
int offline_child_exit_descriptor(pid_t process);

/// Creates a pipe that other programs do not inherit. Returns 0, or -1 with errno.
int offline_child_make_pipe(int ends[2]);

/// Accepts a connection that other programs do not inherit and that does not block. Returns -1 with
/// errno on failure.
int offline_child_accept(int listener);

/// Makes writes to a pipe non-blocking, and enlarges the buffer of the pipe to 1 MiB if the system
/// allows this.
void offline_child_widen_pipe(int descriptor);
