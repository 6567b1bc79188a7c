#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats crashes until the first failure: TIDINGS_CRASH_ROUNDS times (default 20) for each way to crash
# and each kind of thread, and five times as often on eight threads at once. It runs the tests of the
# handler, debug and optimized, and then a program with a static Swift runtime, whose next start must
# report the location of the crash.
source "$(dirname "$0")/common.sh"
require_swift
export TIDINGS_CRASH_ROUNDS=${TIDINGS_CRASH_ROUNDS:-20}
rounds=$TIDINGS_CRASH_ROUNDS
logs=.build/test-logs
mkdir -p "$logs"

# Not parallel: on a busy machine the handler can run out of its time and reports that.
soak_handler() { # name, arguments of `swift test`...
    local log=$logs/soak-crashes-$1.log begin=$SECONDS
    say "crashes, $1: each way $rounds times, eight threads $((5 * rounds)) times"
    timeout -k 10 3600 swift test --disable-xctest --no-parallel "${package[@]}" "${@:2}" \
        --filter '^TidingsDiagnosticsTests\.Crash(Handler|Disarm)Tests/' >"$log" 2>&1 || {
        tail -n 100 "$log"
        fail "crashes, $1: see $log"
    }
    grep -qE 'Test run with [1-9][0-9]* tests .*passed' "$log" || fail "crashes, $1: no test ran"
    say "crashes, $1: passed after $((SECONDS - begin)) s"
}

status_of() { # way; prints the exit status that a shell reports for it
    case $1 in
        abort) echo 134 ;;
        badPointer | raise | kill) echo 139 ;;
        *) if [ "$(uname -m)" = x86_64 ]; then echo 132; else echo 133; fi ;;
    esac
}

crash_once() { # program, way, place
    local folder status=0 line
    folder=$(mktemp -d)
    # A separate shell, whose message about the crash is discarded.
    bash -c '"$@"; exit $?' bash timeout 60 "$1" "$folder" crash "$2" "$3" 2>/dev/null || status=$?
    [ "$status" = "$(status_of "$2")" ] || fail "$2 on $3 ended with $status; see $folder"
    line=$(timeout 60 "$1" "$folder" report "$2" 2>&1) || fail "$2 on $3: $line; see $folder"
    rm -rf "$folder"
    printf '%-9s %s\n' "$3" "$line"
}

crash_on_all() { # program, way
    local place job failed=0
    local -a jobs=()
    for place in main thread dispatch task; do
        crash_once "$1" "$2" "$place" &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do wait "$job" || failed=1; done
    [ "$failed" = 0 ] || exit 1
}

soak_static() { # configuration
    local scratch=.build/crashes-$1 begin=$SECONDS bin ways way round
    build_nested Tests/Crashes "$scratch" -c "$1" --static-swift-stdlib >"$logs/soak-crashes-build.log" 2>&1 || {
        tail -n 40 "$logs/soak-crashes-build.log"
        fail "the program that crashes does not build"
    }
    bin=$(build_nested Tests/Crashes "$scratch" -c "$1" --static-swift-stdlib --show-bin-path)/Crashes
    if ldd "$bin" | grep libswift; then fail "the Swift runtime is not in $bin"; fi
    ways=$("$bin")
    for ((round = 1; round <= rounds; round++)); do
        for way in $ways; do crash_on_all "$bin" "$way"; done >"$logs/soak-crashes-$1-static.log"
        say "crashes, static runtime, $1: round $round of $rounds after $((SECONDS - begin)) s"
    done
}

package_of_tests crashes TidingsDiagnosticsTests
soak_handler debug --scratch-path .build/crashes-tests
soak_handler optimized --scratch-path .build/crashes-tests -c release -Xswiftc -enable-testing
soak_static debug
soak_static release
