#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the tests that find rare faults, until the first failure: crashes of each kind,
# TIDINGS_CRASH_ROUNDS times (default 20); random programs of the message center under the thread
# sanitizer for TIDINGS_SOAK_SECONDS (default 1200); damaged documents of each format for
# OFFLINE_FUZZ_SECONDS (default 60); random faults of bridges for TIDINGS_BRIDGE_SECONDS (default 600);
# three processes of a bridge and their server with HOUSEHOLD_FAULTS
# kills and halts (default 200); the functions of a program by two readers of debug information; a
# table of what offline and other programs make of the faults of
# servers; and ROUNDS rounds (default 20) of all Swift tests,
# the tests under the sanitizer, and 60 kills at random moments.
source "$(dirname "$0")/common.sh"
source Scripts/packages.sh
require_swift
seconds=${TIDINGS_SOAK_SECONDS:-1200}
rounds=${ROUNDS:-20}
export OFFLINE_KILLS=${OFFLINE_KILLS:-60}
export PYTEST_ADDOPTS='-k random_moments'

soak_programs() {
    local log=.build/test-logs/soak-programs.log
    mkdir -p .build/test-logs
    under_thread_sanitizer
    say "random programs for $seconds s"
    # A quarter of the time for each of the four kinds. A race ends the run, so the last printed seed is
    # less than 500 programs before the one with the race.
    TIDINGS_MODEL_SECONDS=$((seconds / 4)) TSAN_OPTIONS=halt_on_error=1 \
        swift test --disable-xctest "${package[@]}" --filter '^Tidings(Resources)?Tests\.(Resource|Form)?ModelTests/' 2>&1 | tee "$log"
    grep -q 'Test run with 4 tests .*passed' "$log" || fail "the four tests of random programs did not run"
}

soak_documents() {
    local log=.build/test-logs/soak-documents.log program
    without_sanitizer
    program=$(swift build "${package[@]}" --show-bin-path)/tidingsPackageTests.xctest
    export OFFLINE_FUZZ_SECONDS=${OFFLINE_FUZZ_SECONDS:-60}
    say "damaged documents for $OFFLINE_FUZZ_SECONDS s of each format"
    "$program" --testing-library swift-testing --filter '^OfflineLibraryTests\.FuzzTests/' >"$log" 2>&1 ||
        fail "a document ended the process or was read wrongly; the last seed is in $log"
    grep -q 'Test run with .* passed' "$log" || fail "damaged documents were not read"
    unset OFFLINE_FUZZ_SECONDS
}

soak_bridges() {
    local log=.build/test-logs/soak-bridges.log program tests=5
    without_sanitizer
    program=$(swift build "${package[@]}" --show-bin-path)/tidingsPackageTests.xctest
    say "random faults of bridges for ${TIDINGS_BRIDGE_SECONDS:-600} s"
    TIDINGS_MODEL_SECONDS=$((${TIDINGS_BRIDGE_SECONDS:-600} / tests)) "$program" --testing-library swift-testing \
        --filter '^TidingsBridgeTests\.FaultScheduleTests/' 2>&1 | tee "$log" ||
        fail "a bridge has lost, repeated or swapped messages; the seed is in $log"
    grep -q "Test run with $tests tests .*passed" "$log" || fail "the faults of bridges did not run"
}

soak_symbols() {
    local log=.build/test-logs/soak-symbols.log program
    without_sanitizer
    program=$(swift build "${package[@]}" --show-bin-path)/tidingsPackageTests.xctest
    say "the functions, files and lines of 20,000 functions, compared with another reader"
    TIDINGS_SYMBOLS=20000 "$program" --testing-library swift-testing --filter 'r22_anotherReader' >"$log" 2>&1 ||
        fail "the readers differ, see $log"
    grep -q 'Test run with 1 test .*passed' "$log" || fail "the readers were not compared"
}

soak_household() {
    local log=.build/test-logs/soak-household.log examples
    examples=(swift build --package-path Examples --scratch-path .build/examples --product Household)
    "${examples[@]}"
    say "a household of three processes and a server, with ${HOUSEHOLD_FAULTS:-200} kills and halts"
    python3 Tests/Servers/household_faults.py --program "$("${examples[@]}" --show-bin-path)/Household" \
        --faults "${HOUSEHOLD_FAULTS:-200}" 2>&1 | tee "$log" || fail "the household has lost or swapped orders"
}

soak_faults() {
    ensure_packages "the table of faults" <<<'streamlink cmd:streamlink'
    OFFLINE_BINARY=$PWD/.build/release/offline .build/venv/bin/python Offline/Tests/Faults/table.py
}

Scripts/soak-crashes.sh
Scripts/test.sh deps build release
soak_programs
soak_documents
soak_bridges
soak_symbols
soak_household
soak_faults
for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    Scripts/test.sh test sanitizer end-to-end
done
