#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that a silent run under the thread sanitizer means something: a correct program that only
# the core's lock orders is silent, and the same program with a race beside the lock is reported.
source "$(dirname "$0")/common.sh"
require_swift

scratch=.build/tsan-check
build=(build_nested Tests/Sanitizer "$scratch" --sanitize=thread -Xswiftc -DTHREAD_SANITIZER)
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/LockOrder

export TSAN_OPTIONS=exitcode=66
for _ in 1 2 3; do
    timeout 120 "$program" ordered 2>&1 || fail "the correct program ended with status $?"
    status=0
    report=$(timeout 120 "$program" race 2>&1) || status=$?
    [ "$status" = 66 ] || fail "the planted race was not reported (status $status)"
    grep -qE 'ThreadSanitizer: (data|Swift access) race' <<<"$report" || fail "no report of a race: $report"
done
say "the thread sanitizer sees the lock, and the race beside it"
