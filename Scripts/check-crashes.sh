#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Crashes a program in each way and on each kind of thread, and prints a table with a row for each
# crash: Scripts/check-crashes.sh PROGRAM [ROUNDS [all]]. `all` adds the ways that occur in no other
# test.
#
# The next start of the program must make one report. The function and the line of the crash must be
# among the program's first three functions, and the report must contain the reason, if any.
source "$(dirname "$0")/common.sh"

status_of() { # way; prints the exit status that a shell reports for it
    case $1 in
        abort | failedCast | overlappingAccess | unownedObject | invalidFree) echo 134 ;;
        systemCall) echo 159 ;;
        badPointer | raise | kill | comparison | stackOverflow | readOnlyMemory | nullFunction) echo 139 ;;
        *) if [ "$(uname -m)" = x86_64 ]; then echo 132; else echo 133; fi ;;
    esac
}

crash_once() { # way, place
    local folder status=0 line
    folder=$(mktemp -d)
    # A separate shell runs the program, so that the shell's message about the crash can be
    # discarded.
    bash -c '"$@"; exit $?' bash timeout 60 "$program" "$folder" crash "$1" "$2" 2>/dev/null || status=$?
    [ "$status" = "$(status_of "$1")" ] || fail "$1 on $2 ended with $status; see $folder"
    line=$(timeout 60 "$program" "$folder" report "$1" 2>&1) || fail "$1 on $2: $line; see $folder"
    rm -rf "$folder"
    printf '%-17s | %-8s | %s\n' "$1" "$2" "$line"
}

crash_on_all() { # way
    local place job failed=0
    local -a jobs=()
    for place in main thread dispatch task; do
        crash_once "$1" "$place" &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do wait "$job" || failed=1; done
    [ "$failed" = 0 ] || exit 1
}

program=${1:?the path of Crashes is missing}
rounds=${2:-1}
if ldd "$program" | grep libswift; then fail "the Swift runtime is not in $program"; fi
ways=$("$program" ${3:+"$3"})
# The table of `all` must not shrink unnoticed.
if [ "${3:-}" = all ] && [ "$(wc -w <<<"$ways")" -lt 15 ]; then fail "$program names too few ways to crash"; fi
printf '%-17s | %-8s | %s\n' kind thread 'signal | function | line | reason'
[ -n "$ways" ] || fail "$program names no way to crash"
for ((round = 1; round <= rounds; round++)); do
    for way in $ways; do crash_on_all "$way"; done
    say "round $round of $rounds: one whole report for each of $(wc -w <<<"$ways") ways on 4 kinds of threads"
done
