// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <sys/mman.h>
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

/// Reads through the pipe, for which the system refuses unreadable addresses.
static bool read_pipe(uint64_t address, void *to, size_t count) {
    if (write(crash_setup.memory_pipe[1], (const void *)address, count) != (ssize_t)count) {
        // The next read would return the result of a short write, so the result is removed.
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

bool crash_memory_repair(int signal, const siginfo_t *info) {
    if (signal != SIGBUS || info->si_code != BUS_ADRERR || crash_setup.page_size == 0) return false;
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    uint64_t start = (uint64_t)(uintptr_t)crash_setup.run_memory;
    uint64_t size = crash_setup.run_memory_size;
    if (address < start || address - start >= size) return false;
    uint64_t page = address - address % crash_setup.page_size;
    // A truncated file has lost everything from this page on.
    long kept = syscall(
        SYS_mmap, page, start + size - page, (long)(PROT_READ | PROT_WRITE),
        (long)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED), -1L, 0L
    );
    return kept == (long)page;
}

#endif
