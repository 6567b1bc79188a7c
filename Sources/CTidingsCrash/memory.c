// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool may_read_process;

static bool read_process(uint64_t address, void *to, size_t count) {
    struct iovec own = {.iov_base = to, .iov_len = count};
    struct iovec other = {.iov_base = (void *)address, .iov_len = count};
    // Variadic arguments must have the width that the system call expects.
    return syscall(SYS_process_vm_readv, (long)getpid(), &own, 1L, &other, 1L, 0L) == (long)count;
}

static bool read_file(uint64_t address, void *to, size_t count) {
    return syscall(SYS_pread64, (long)crash_setup.memory_file, to, count, address) == (long)count;
}

/// The system copies the memory into the pipe and refuses unreadable addresses.
static bool read_pipe(uint64_t address, void *to, size_t count) {
    if (write(crash_setup.memory_pipe[1], (const void *)address, count) != (ssize_t)count) {
        // Removes the result of a short write, which the next read would return.
        char rest[64];
        while (read(crash_setup.memory_pipe[0], rest, sizeof rest) > 0) {}
        return false;
    }
    return read(crash_setup.memory_pipe[0], to, count) == (ssize_t)count;
}

void crash_memory_prepare(void) {
    static const uint32_t known = 0x54494431;
    uint32_t seen = 0;
    may_read_process = !(crash_setup.refused_readers & 1u)
        && read_process((uint64_t)(uintptr_t)&known, &seen, sizeof seen) && seen == known;
}

bool crash_memory_read(uint64_t address, void *to, size_t count) {
    if (may_read_process) return read_process(address, to, count);
    if (!(crash_setup.refused_readers & 2u) && crash_setup.memory_file >= 0) {
        return read_file(address, to, count);
    }
    return crash_setup.memory_pipe[1] >= 0 && read_pipe(address, to, count);
}

#endif
