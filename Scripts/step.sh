#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one step of Scripts/test.sh with its output as it comes: Scripts/step.sh STEP
source "$(dirname "$0")/common.sh"

swift_test() { # arguments of `swift test`; a run that executed nothing fails
    local log
    log=$(mktemp)
    swift test --disable-xctest "$@" 2>&1 | tee "$log"
    grep -qE 'Test run with [1-9][0-9]* tests?' "$log" || fail "no test ran"
    rm -f "$log"
}

step_deps() {
    Scripts/deps.sh
    Scripts/deps-test.sh
}

step_format() { Scripts/check-format.sh; }

step_tree() { Scripts/check-tree.sh; }

step_scripts() {
    mapfile -t scripts < <(tree_files '*.sh' .ci/run)
    shellcheck --external-sources --source-path=Scripts:. "${scripts[@]}"
}

step_c_warnings() {
    mapfile -t sources < <(tree_files 'Sources/*.c')
    local source
    for source in "${sources[@]}"; do
        clang -std=c17 -Wall -Wextra -Werror -fsyntax-only -I "$(dirname "$source")/include" "$source"
    done
    Scripts/check-crash-symbols.sh
}

step_build() { swift build --build-tests --explicit-target-dependency-import-check error; }

# Random programs keep a core busy for as long as they run: beside them every other test is late.
random_programs='^TidingsTests\.ModelTests/'

# One module after the other: of two thousand tests that begin at once on a small machine, those that
# wait for an answer get their next turn after all others have had their first.
test_apart() { # test targets, separated by spaces; arguments of `swift test`
    local target
    local -a targets
    read -ra targets <<<"$1"
    shift
    swift_test "$@" --filter "$random_programs"
    for target in "${targets[@]}"; do
        swift_test "$@" --filter "^${target//-/_}\\." --skip "$random_programs"
    done
}

test_targets() { # all of them, on one line
    (cd Tests && printf '%s ' *Tests)
}

step_test() { test_apart "$(test_targets)"; }

step_release() { Scripts/build-release.sh; }

step_install() { Scripts/check-install.sh; }

# `@testable` needs -enable-testing, which the shipped binary must not have: a folder of its own.
# The parts of `offline` are left out: the end-to-end tests run them optimized, as a whole.
step_test_release() {
    local -a targets
    mapfile -t targets < <(test_targets | tr ' ' '\n' | grep -vE '^([Oo]ffline.*)?$')
    package_of_tests release "${targets[@]}"
    test_apart "${targets[*]}" "${package[@]}" --scratch-path .build/release-tests \
        -c release -Xswiftc -enable-testing
}

step_sanitizer() {
    under_thread_sanitizer
    test_apart "${targets[*]}" "${sanitized[@]}"
}

# The modules that call handlers without counting references. This allocator gives no address twice,
# which some tests wait for, and the C library cannot count what it has.
step_sanitizer_address() {
    package_of_tests sanitizer-address TidingsTests TidingsFoundationTests
    local -a built=("${package[@]}" --scratch-path .build/asan --sanitize=address)
    export ASAN_OPTIONS=detect_leaks=0
    TIDINGS_MODEL_PROGRAMS=300 swift_test "${built[@]}" --filter "$random_programs"
    swift_test "${built[@]}" --filter '^Tidings(Foundation)?Tests\.' --skip "$random_programs" \
        --skip '(AtThe|Subjects)Address' --skip 'memoryAfterTenThousandRounds'
}

step_sanitizer_check() { Scripts/check-sanitizer.sh; }

step_core_alone() { Scripts/check-core-alone.sh; }

step_examples() { Scripts/check-examples.sh; }

step_api() { Scripts/public-api.sh --check; }

step_docs() {
    Scripts/check-snippets.sh
    Scripts/docs.sh
}

step_allocations() { Scripts/check-allocations.sh; }

# Gates are judged by `make bench`, on a machine that does nothing else; here each row must run.
step_benchmarks() {
    build_nested Benchmarks .build/benchmarks -c release
    .build/benchmarks/release/CoreBenchmarks
    .build/benchmarks/release/DiagnosticsBenchmarks
}

step_end_to_end() {
    mkdir -p .build/test-logs
    # Never a program of yesterday; all are there already when the steps before have run.
    (step_release && swift build --product KillPoint && swift build --product SendReports) \
        >.build/test-logs/end-to-end-build.log 2>&1 ||
        fail "the programs under test do not build: .build/test-logs/end-to-end-build.log"
    .build/venv/bin/python -m pytest -p no:cacheprovider Tests/EndToEnd
}

[ $# = 1 ] || fail "name one step; Scripts/test.sh --list shows them"
declare -F "step_${1//-/_}" >/dev/null || fail "there is no step '$1'; see Scripts/test.sh --list"
"step_${1//-/_}"
