#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats crashes until the first failure: TIDINGS_CRASH_ROUNDS times (default 20) for each way to
# crash and each kind of thread, and five times as often on eight threads together. The script runs
# the tests of the handler, debug and optimized, and then a program with a static Swift runtime. The
# next start of this program must report the location of the crash. The first round prints a table
# with all kinds of crashes.
source "$(dirname "$0")/common.sh"
require_swift
export TIDINGS_CRASH_ROUNDS=${TIDINGS_CRASH_ROUNDS:-20}
rounds=$TIDINGS_CRASH_ROUNDS
logs=.build/test-logs
mkdir -p "$logs"

# The tests do not run in parallel, because on a busy machine the handler can run out of time and
# would report a timeout.
soak_handler() { # configuration, more arguments of `swift build`
    local log=$logs/soak-crashes-$1.log begin=$SECONDS
    say "crashes, $1: each way $rounds times, eight threads $((5 * rounds)) times"
    targets=(TidingsDiagnosticsTests)
    package_of "crashes-$1" "$1" "$(swift_array "${targets[@]}")"
    package+=("${@:2}")
    {
        build_tests
        timeout -k 10 3600 "$bin/TidingsDiagnosticsTests.xctest" --testing-library swift-testing --no-parallel \
            --filter '\.Crash(Handler|Disarm)Tests/'
    } >"$log" 2>&1 || {
        tail -n 100 "$log"
        fail "crashes, $1: see $log"
    }
    grep -qE 'Test run with [1-9][0-9]* tests .*passed' "$log" || fail "crashes, $1: no test ran"
    say "crashes, $1: passed after $((SECONDS - begin)) s"
}

soak_static() { # configuration
    say "crashes, static runtime, $1"
    package_of "crashes-static-$1" "$1" '["Crashes"]'
    swift build "${package[@]}" --static-swift-stdlib >"$logs/soak-crashes-build.log" 2>&1 || {
        tail -n 40 "$logs/soak-crashes-build.log"
        fail "the program that crashes does not build"
    }
    Scripts/check-crashes.sh "$bin/Crashes" 1 all | tee "$logs/crash-table-$1.txt"
    Scripts/check-crashes.sh "$bin/Crashes" "$rounds" >"$logs/soak-crashes-$1-static.log"
}

soak_handler debug
soak_handler release -Xswiftc -enable-testing
soak_static debug
soak_static release
