#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one part of `make soak` to the end or to the first failure:
# Scripts/soak-part.sh [--list | PART]
source "$(dirname "$0")/common.sh"
source Scripts/packages.sh
require_swift

tests_of_debug_build() { # test target, how many tests run at least, arguments of the runner
    local log
    debug_package
    build_tests
    log=$(mktemp)
    "$bin/$1.xctest" --testing-library swift-testing "${@:3}" 2>&1 | tee "$log"
    grep -oE 'Test run with [0-9]+ tests?' "$log" | awk -v least="$2" '{ n += $4 } END { exit n < least }' ||
        fail "fewer than $2 tests ran"
    rm -f "$log"
}

# Causes each kind of crash on each kind of thread, TIDINGS_CRASH_ROUNDS times (default 20).
part_crashes() { Scripts/soak-crashes.sh; }

# Runs random programs of the message center under the thread sanitizer for TIDINGS_SOAK_SECONDS
# (default 1200), a quarter of the time for each of the four kinds. A race ends the run, so the last
# printed seed is less than 500 programs before the program with the race.
part_programs() {
    local target
    thread_package thread "${thread_tests[@]}"
    build_tests
    export TSAN_OPTIONS=halt_on_error=1
    for target in TidingsTests TidingsResourcesTests; do
        TIDINGS_MODEL_SECONDS=$((${TIDINGS_SOAK_SECONDS:-1200} / 4)) \
            "$bin/$target.xctest" --testing-library swift-testing --filter 'Tests\.(Resource|Form)?ModelTests/'
    done
}

# Reads damaged documents of each format for OFFLINE_FUZZ_SECONDS (default 60).
part_documents() {
    OFFLINE_FUZZ_SECONDS=${OFFLINE_FUZZ_SECONDS:-60} \
        tests_of_debug_build OfflineLibraryTests 1 --filter '\.FuzzTests/'
}

# Causes random faults of bridges for TIDINGS_BRIDGE_SECONDS (default 600), a fifth of the time for
# each of five kinds.
part_bridge() {
    thread_package thread "${thread_tests[@]}"
    build_tests
    TIDINGS_MODEL_SECONDS=$((${TIDINGS_BRIDGE_SECONDS:-600} / 5)) \
        "$bin/TidingsBridgeTests.xctest" --testing-library swift-testing --filter '\.FaultScheduleTests/'
}

# Compares the functions, files and lines of 20,000 functions with the results of another reader.
part_symbols() {
    TIDINGS_SYMBOLS=20000 tests_of_debug_build TidingsDiagnosticsTests 1 --filter 'r22_anotherReader'
}

# Runs three processes of a bridge and the server with HOUSEHOLD_FAULTS kills and halts (default
# 200).
part_household() {
    debug_package
    build_tests
    python3 Scripts/link-programs.py package "$bin" Examples
    python3 Tests/Servers/household_faults.py --program "$bin/Examples/Household" --faults "${HOUSEHOLD_FAULTS:-200}"
}

# Prints a table of the reactions of offline and other programs to the faults of servers.
part_faults() {
    Scripts/build-release.sh
    ensure_packages "the table of faults" <<<'streamlink cmd:streamlink'
    OFFLINE_BINARY=$PWD/.build/release/offline .build/venv/bin/python Offline/Tests/Faults/table.py
}

# Installs and checks the optimized program, and builds the examples as a separate package.
part_optimized() {
    Scripts/check-install.sh
    swift build --disable-build-manifest-caching --package-path Examples --scratch-path .build/examples
    Scripts/check-examples.sh .build/examples/debug
    Scripts/step.sh optimized
}

# Runs all tests that can run under a sanitizer. `make test` runs only the tests of concurrent or
# unsafe code there.
part_sanitizers() {
    local target
    thread_package wide-thread "${thread_tests[@]}" TidingsFoundationTests TidingsTestingTests \
        TidingsUserNotificationsTests TidingsDiagnosticsTests
    build_tests
    for target in "${targets[@]}"; do
        "$bin/$target.xctest" --testing-library swift-testing --skip 'Tests\.(Resource|Form)?ModelTests/'
    done
    targets=(TidingsTests TidingsResourcesTests TidingsFoundationTests)
    package_of wide-address release "$(swift_array "${targets[@]}")"
    package+=(-Xswiftc -enable-testing --sanitize=address)
    build_tests
    for target in "${targets[@]}"; do
        ASAN_OPTIONS=detect_leaks=0 "$bin/$target.xctest" --testing-library swift-testing --skip '(AtThe|Subjects)Address'
    done
}

# Runs every row of the benchmarks once, without a check of the figures.
part_benchmarks() {
    build_benchmarks
    export TIDINGS_BENCHMARK_PAIRS=1
    .build/benchmarks/release/CoreBenchmarks
    .build/benchmarks/release/DiagnosticsBenchmarks
    python3 Benchmarks/bridge.py --binary .build/benchmarks/release/BridgeBenchmarks \
        --json .build/test-logs/bridge-benchmarks.json
}

# Kills the optimized program at OFFLINE_KILLS random moments (default 60), ROUNDS times (default
# 20).
part_kills() {
    local round
    Scripts/build-release.sh
    Scripts/test.sh build
    debug_package
    export OFFLINE_KILLS=${OFFLINE_KILLS:-60} OFFLINE_BINARY=$PWD/.build/release/offline
    for ((round = 1; round <= ${ROUNDS:-20}; round++)); do
        TIDINGS_SEED=$(draw) .build/venv/bin/python -m pytest -p no:cacheprovider -k random_moments \
            Offline/Tests/EndToEnd
    done
}

# Runs all tests of `make test` ROUNDS times (default 20), each time with other seeds and in another
# order.
part_rounds() {
    local round
    Scripts/test.sh build
    for ((round = 1; round <= ${ROUNDS:-20}; round++)); do
        TIDINGS_SEED=$(draw) TIDINGS_ORDER=$(draw) Scripts/test.sh test thread-sanitizer end-to-end
    done
}

draw() { od -An -N4 -tu4 /dev/urandom | tr -d ' '; }

# Prints the parts in the order of this file.
if [ "${1:-}" = --list ]; then
    sed -nE 's/^part_([a-z]+)\(\).*/\1/p' "$0"
    exit
fi
declare -F "part_${1:-}" >/dev/null || fail "unknown part '${1:-}'; the parts are: $("$0" --list | xargs)"
TIDINGS_SEED=${TIDINGS_SEED:-$(draw)}
export TIDINGS_SEED
say "$1 with TIDINGS_SEED=$TIDINGS_SEED"
"part_$1"
