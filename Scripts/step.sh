#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one step of Scripts/test.sh with its full output: Scripts/step.sh STEP
source "$(dirname "$0")/common.sh"

run_tests() { # test target, arguments of the runner; fails if no test ran
    local log
    log=$(mktemp)
    say "tests of $1${3:+ like $3}"
    "$bin/$1.xctest" --testing-library swift-testing "${@:2}" 2>&1 | tee "$log"
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
    # The page's scripts agree with the types of the API.
    tsc --project Scripts
}

step_c_warnings() {
    mapfile -t sources < <(tree_files '*.c')
    local source folder
    for source in "${sources[@]}"; do
        folder=$(dirname "$source")
        # The header is in the folder of the target.
        if [ ! -d "$folder/include" ]; then folder=$(dirname "$folder"); fi
        clang -std=c17 -Wall -Wextra -Werror -fsyntax-only -I "$folder/include" \
            -isystem /usr/include/libxml2 "$source"
    done
    Scripts/check-crash-symbols.sh
}

step_build() {
    debug_package
    build_tests
}

# Prints words in another order if TIDINGS_ORDER contains a number.
in_order() { # words
    if [ -z "${TIDINGS_ORDER:-}" ]; then
        printf '%s\n' "$@"
    else
        printf '%s\n' "$@" | shuf --random-source=<(yes "$TIDINGS_ORDER")
    fi
}

# Runs one module after another. Each module runs in parts.
test_separately() { # test targets
    hide_site_resolver
    local -a order
    local target part parts
    mapfile -t order < <(in_order "$@")
    say "the modules in this order: ${order[*]}"
    for target in "${order[@]}"; do
        mapfile -t parts < <(parts_of "$target")
        for part in "${parts[@]}"; do
            run_tests "$target" --filter "$part" --skip "$random_programs"
        done
    done
}

step_circles() {
    debug_package
    python3 Scripts/check-circles.py "$bin/index/store"
}

step_uses() {
    debug_package
    python3 Scripts/check-uses.py "$bin/index/store"
}

step_test() {
    debug_package
    test_separately "${targets[@]}"
}

step_thread_sanitizer() {
    thread_package thread "${thread_tests[@]}"
    build_tests
    swift build "${package[@]}" --product LockOrder
    Scripts/check-sanitizer.sh "$bin/LockOrder"
    run_tests TidingsTests --filter "$random_programs"
    run_tests TidingsResourcesTests --filter "$random_programs"
    test_separately "${targets[@]}"
}

# Tests the code that calls handlers without counting references. The build is optimized, because
# the optimizer may end an object's life earlier. `@testable` needs -enable-testing.
step_address_sanitizer() {
    package_of address release '["TidingsTests"]'
    targets=(TidingsTests)
    package+=(-Xswiftc -enable-testing --sanitize=address)
    build_tests
    export ASAN_OPTIONS=detect_leaks=0
    TIDINGS_MODEL_PROGRAMS=300 run_tests TidingsTests --filter "$random_programs"
    # The skipped tests need an allocator that soon uses an address again.
    run_tests TidingsTests --filter '^TidingsTests\.' --skip "$random_programs" --skip '(AtThe|Subjects)Address'
}

# Checks the properties that only an optimized program with a static runtime shows. Crashes are
# reported with function and line, and posting allocates nothing.
step_optimized() {
    package_of optimized release '["Crashes", "AllocationCount"]'
    local product
    for product in Crashes AllocationCount; do
        swift build "${package[@]}" --static-swift-stdlib --product "$product"
    done
    Scripts/check-crashes.sh "$bin/Crashes"
    "$bin/AllocationCount"
}

step_examples() {
    debug_package
    python3 Scripts/link-programs.py package "$bin" Examples
    # Only the build of the benchmarks is checked. `make bench` runs the benchmarks.
    python3 Scripts/link-programs.py package "$bin" Benchmarks
    Scripts/check-examples.sh "$bin/Examples"
}

step_api() { Scripts/public-api.sh --check; }

step_programs() {
    debug_package
    python3 Scripts/check-programs.py "$bin/Modules"
}

step_docs() {
    Scripts/check-snippets.sh
    Scripts/docs.sh
}

# Installs the debug build, because an optimized build shows no further differences here. `make
# soak` installs the optimized build.
step_install() {
    debug_package
    OFFLINE_BUILD=$bin Scripts/check-install.sh
}

step_end_to_end() {
    debug_package
    hide_site_resolver
    export OFFLINE_BINARY=$bin/offline SYMBOLICATE_BINARY=$bin/tidings-symbolicate
    export KILLPOINT_BINARY=$bin/OfflineKillPoint SENDREPORTS_BINARY=$bin/TidingsSendReports
    # Three tests run at the same time, because most of these wait for a throttled server, a kill or a
    # browser. With two, a third of two processors was idle.
    .build/venv/bin/python -m pytest -p no:cacheprovider -v -n 3 --dist worksteal Offline/Tests/EndToEnd
}

[ $# = 1 ] || fail "usage: Scripts/step.sh STEP; Scripts/test.sh --list shows the steps"
declare -F "step_${1//-/_}" >/dev/null || fail "unknown step '$1'; Scripts/test.sh --list shows the steps"
"step_${1//-/_}"
