// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "COfflinePriority.h"

#include <sys/syscall.h>
#include <unistd.h>

/// Constants from linux/ioprio.h, which not all systems install.
enum { WHO_PROCESS = 1, CLASS_IDLE = 3, CLASS_SHIFT = 13 };

int offline_priority_lower(void)
{
    int before = (int)syscall(SYS_ioprio_get, WHO_PROCESS, 0);
    (void)syscall(SYS_ioprio_set, WHO_PROCESS, 0, CLASS_IDLE << CLASS_SHIFT);
    return before;
}

void offline_priority_restore(int priority)
{
    if (priority >= 0)
        (void)syscall(SYS_ioprio_set, WHO_PROCESS, 0, priority);
}
