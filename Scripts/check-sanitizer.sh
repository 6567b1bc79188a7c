#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the thread sanitizer works with the core's lock. The sanitizer must not report a
# correct program that only the lock orders, and must report the same program with a race outside
# the lock: Scripts/check-sanitizer.sh PROGRAM. PROGRAM is LockOrder, built under the sanitizer.
source "$(dirname "$0")/common.sh"

program=${1:?the path of LockOrder is missing}
export TSAN_OPTIONS=exitcode=66
for _ in 1 2 3; do
    timeout 120 "$program" ordered 2>&1 || fail "the correct program ended with status $?"
    status=0
    report=$(timeout 120 "$program" race 2>&1) || status=$?
    [ "$status" = 66 ] || fail "the planted race was not reported (status $status)"
    grep -qE 'ThreadSanitizer: (data|Swift access) race' <<<"$report" || fail "the report names no race: $report"
done
say "the thread sanitizer accepts the lock and reports the race outside it"
