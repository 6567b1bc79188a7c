#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all checks and tests, or the named steps: Scripts/test.sh [--list] [STEP...]
#
# A step prints one line when it passes and its output when it fails; the first failure ends the run.
# A step without its script, tool or tests fails: no step is skipped. The last line of a passing run
# is the summary of the end-to-end tests' runner.
source "$(dirname "$0")/common.sh"

first_steps=(deps format tree scripts c-warnings build)
# The lanes run side by side: most tests wait for timeouts, daemons and browsers, and the optimizer
# uses one core only. The first lane takes longest.
lanes=(
    'release install end-to-end'
    'test sanitizer-address crashes allocations benchmarks'
    'sanitizer sanitizer-check api wrong-programs docs examples'
)
read -ra all_steps <<<"${first_steps[*]} ${lanes[*]}"
step_limit=3600

if [ "${1:-}" = --list ]; then
    printf '%s\n' "${all_steps[@]}"
    exit 0
fi
require_swift

logs=.build/test-logs
mkdir -p "$logs"

exec 9>.build/test.lock
flock -n 9 || fail "another run of Scripts/test.sh works in this checkout; wait until it ends"

# The package manager leaves a folder for each module at each call, and a killed program its files:
# all of it in one folder, which goes with the run. Its path is short, because that of a socket has
# at most 107 bytes; any user may enter it, because some tests give up the rights of root.
system_folder=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d "$system_folder/tidings.XXXXXX")
export TMPDIR
chmod 1777 "$TMPDIR"

clean_up() {
    local place
    # The disk of a test that was killed.
    awk -v at="$TMPDIR/" 'index($2, at) == 1 { print $2 }' /proc/mounts |
        while read -r place; do umount -l "$place"; done
    rm -rf "$TMPDIR"
}
trap clean_up EXIT

# The files outside TMPDIR that only this project's tests and tools make: not the folders of other
# runs, and of a display only the lock that it left behind.
own_files() {
    local lock
    find "$system_folder" -mindepth 1 -maxdepth 1 \( -name 'tidings*' -o -name 'offline*' \
        -o -name '*-reports' -o -name 'diagnostics-benchmarks-*' \) ! -name 'tidings.??????' -printf '%f\n'
    for lock in /tmp/.X*-lock; do
        [ ! -e "$lock" ] || kill -0 "$(tr -d ' ' <"$lock")" 2>/dev/null || printf '%s\n' "$lock"
    done
}
files_before=$(own_files | sort)

check_leftovers() {
    local left
    left=$(comm -13 <(printf '%s\n' "$files_before") <(own_files | sort))
    [ -z "$left" ] || { say "tests left files in $system_folder: $left" && return 1; }
}

stop() { # step, seconds
    say
    say "FAILED: $1 after $2 s. To repeat it: Scripts/test.sh $1"
    exit 1
}

# Ends the running steps; a child in the background would survive its shell.
end_children() {
    local -a children
    mapfile -t children < <(jobs -p)
    if [ ${#children[@]} -gt 0 ]; then kill "${children[@]}" 2>/dev/null || true; fi
    wait
}
trap 'end_children; exit 130' INT TERM

run_step() { # step
    timeout -k 10 "$step_limit" Scripts/step.sh "$1" </dev/null &
    wait $!
}

run_quietly() { # step
    local step=$1 log="$logs/$1.log" begin=$SECONDS
    if ! run_step "$step" >"$log" 2>&1; then
        tail -n 400 "$log"
        failures_of "$log"
        stop "$step" $((SECONDS - begin))
    fi
    check_leftovers || stop "$step" $((SECONDS - begin))
    printf 'ok  %-17s %4d s  %s\n' "$step" $((SECONDS - begin)) "$(summary_of "$log")"
}

summary_of() { # log; prints the number of passed tests, if the step ran any
    grep -aoE 'Test run with [0-9]+ tests? in [0-9]+ suites? passed' "$1" |
        awk '{ tests += $4; suites += $7 } END { if (NR) print tests " tests in " suites " suites passed" }' || true
}

failures_of() { # log; prints the failures once more, after the long output
    sed 's/\x1b\[[0-9;]*m//g' "$1" |
        grep -aE '(✘ Test .*recorded an issue|ThreadSanitizer:|AddressSanitizer:|: error:)' | head -n 60 || true
}

run_openly() { # step
    local begin=$SECONDS
    run_step "$1" || stop "$1" $((SECONDS - begin))
    check_leftovers || stop "$1" $((SECONDS - begin))
}

run_in_order() { # steps
    local step
    for step in "$@"; do
        if [ "$step" = deps ]; then run_openly "$step"; else run_quietly "$step"; fi
    done
}

in_background() { # steps
    trap 'end_children; exit 143' TERM
    run_in_order "$@"
}

# Runs the lanes side by side; the first failure ends all of them.
run_beside() {
    local lane
    local -a steps
    for lane in "${lanes[@]}"; do
        read -ra steps <<<"$lane"
        in_background "${steps[@]}" &
    done
    for lane in "${lanes[@]}"; do
        wait -n || { end_children; exit 1; }
    done
}

if [ $# -gt 0 ]; then
    run_in_order "$@"
else
    run_in_order "${first_steps[@]}"
    run_beside
    tail -n 12 "$logs/end-to-end.log"
fi
