// SPDX-License-Identifier: Apache-2.0
// Lowers the priority with which a thread reads from disks. The C library has no functions for
// this.
#pragma once

/// Lets the calling thread read only when no other program does. Returns the previous priority, or
/// -1 if the priority is unknown.
int offline_priority_lower(void);

/// Restores a priority that `offline_priority_lower` returned.
void offline_priority_restore(int priority);
