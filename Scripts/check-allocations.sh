#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts what must not allocate, in a release build whose allocator counts every call.
# `Scripts/check-allocations.sh FILE` writes the counts to FILE; without it they go to the screen.
source "$(dirname "$0")/common.sh"
require_swift

scratch=.build/allocations
build_nested Tests/AllocationCount "$scratch" -c release >&2
"$scratch/release/AllocationCount" "$@"
