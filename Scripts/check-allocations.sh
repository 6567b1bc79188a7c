#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the allocations of operations that must not allocate, in a release build with a counting
# allocator. `Scripts/check-allocations.sh [FILE]` writes the counts to FILE or to standard output.
source "$(dirname "$0")/common.sh"
require_swift

Scripts/build-release.sh AllocationCount >&2
.build/release/AllocationCount "$@"
