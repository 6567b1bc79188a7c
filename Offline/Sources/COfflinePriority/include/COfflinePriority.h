// SPDX-License-Identifier: Apache-2.0
// Lowers the priority with which a thread reads from disks; the C library has no functions for it.
#pragma once

/// Lets the calling thread read only when no other program does. Returns the previous priority, or -1 if unknown.
int offline_priority_lower(void);

/// Restores a priority that `offline_priority_lower` returned.
void offline_priority_restore(int priority);
