#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every check and every test, or the steps named: Scripts/test.sh [--list] [STEP...]
#
# A step prints one line when it passes and its output when it fails; the first failure ends the
# run. A step whose script, tool or tests are missing fails: nothing is skipped. The end-to-end
# tests come last, so that the last line of a passing run is their runner's own summary.
source "$(dirname "$0")/common.sh"

all_steps=(
    deps format tree scripts c-warnings
    build test api docs core-alone examples
    release install test-release sanitizer sanitizer-address sanitizer-check allocations benchmarks
    end-to-end
)
step_limit=1500

if [ "${1:-}" = --list ]; then
    printf '%s\n' "${all_steps[@]}"
    exit 0
fi
require_swift
steps=("$@")
if [ $# = 0 ]; then steps=("${all_steps[@]}"); fi

logs=.build/test-logs
mkdir -p "$logs"
started=$SECONDS

stop() { # step, seconds
    say
    say "FAILED: $1 after $2 s. Alone: Scripts/test.sh $1"
    exit 1
}

run_quietly() { # step
    local step=$1 log="$logs/$1.log" begin=$SECONDS
    if ! timeout -k 10 "$step_limit" Scripts/step.sh "$step" >"$log" 2>&1 </dev/null; then
        tail -n 400 "$log"
        failures_of "$log"
        stop "$step" $((SECONDS - begin))
    fi
    printf 'ok  %-16s %4d s  %s\n' "$step" $((SECONDS - begin)) "$(summary_of "$log")"
}

summary_of() { # what the test runners of a step have passed, if there were any
    grep -aoE 'Test run with [0-9]+ tests? in [0-9]+ suites? passed' "$1" |
        awk '{ tests += $4; suites += $7 } END { if (NR) print tests " tests in " suites " suites passed" }' || true
}

failures_of() { # what a test runner said of its failures, last so that it is seen
    grep -aE '(✘ Test .*recorded an issue|ThreadSanitizer:|: error:|Fatal error)' "$1" | head -n 60 || true
}

run_openly() { # step
    local begin=$SECONDS
    timeout -k 10 "$step_limit" Scripts/step.sh "$1" </dev/null || stop "$1" $((SECONDS - begin))
}

for step in "${steps[@]}"; do
    case $step in
        deps) run_openly "$step" ;;
        end-to-end)
            printf '    %-16s begins after %d s\n' "$step" $((SECONDS - started))
            run_openly "$step"
            ;;
        *) run_quietly "$step" ;;
    esac
done
