#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one step of Scripts/test.sh with its full output: Scripts/step.sh STEP
source "$(dirname "$0")/common.sh"

# Builds tests and sets `program` to their executable, which each later call runs by itself: `swift
# test` would plan the build again for each module.
build_tests() { # arguments of `swift build`
    swift build --build-tests --explicit-target-dependency-import-check error "$@"
    program=$(swift build "$@" --show-bin-path)/tidingsPackageTests.xctest
}

# Hides yt-dlp from the tests: where it is installed, `offline` leaves pages to it that the tests
# expect `offline` itself to refuse. The tests of yt-dlp name the folder of their own copy.
hide_site_resolver() {
    local folder links shown=() IFS=:
    for folder in $PATH; do
        if [ -e "$folder/yt-dlp" ]; then
            links=$PWD/.build/without-yt-dlp/${#shown[@]}
            rm -rf "$links"
            mkdir -p "$links"
            ln -s "$folder"/* "$links/"
            rm "$links/yt-dlp"
            folder=$links
        fi
        shown+=("$folder")
    done
    PATH="${shown[*]}"
}

run_tests() { # arguments of the runner; fails if no test ran
    hide_site_resolver
    local log
    log=$(mktemp)
    "$program" --testing-library swift-testing "$@" 2>&1 | tee "$log"
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
    without_sanitizer
    build_tests "${package[@]}"
    local snippet
    for snippet in Snippets/*.swift; do
        snippet=$(basename "$snippet" .swift)
        [ -x "${program%/*}/$snippet" ] || fail "the build does not contain the snippet $snippet"
    done
}

# Random programs keep a core busy while they run and would delay all other tests.
random_programs='^Tidings(Resources)?Tests\.(Resource|Form)?ModelTests/'

# Runs one module after another: if two thousand tests start at once on a small machine, a test that
# waits for a reply continues only after all other tests have started, and its time limit passes
# meanwhile. Two modules run in parts: the largest one, and the one whose tests start most processes.
test_separately() { # test targets
    local target part
    for target in "$@"; do
        local parts=('')
        case $target in
            OfflineLibraryTests) parts=('[A-E]' '[F-M]' '[N-R]' '[^A-R]') ;;
            TidingsDiagnosticsTests) parts=('CrashReporter' 'C(?!rashReporter)' '[^C]') ;;
        esac
        for part in "${parts[@]}"; do
            run_tests --filter "^${target//-/_}\\.$part" --skip "$random_programs"
        done
    done
}

step_test() {
    step_build
    test_separately "${targets[@]}"
}

step_release() { Scripts/build-release.sh; }

step_install() { Scripts/check-install.sh; }

step_sanitizer() {
    under_thread_sanitizer
    build_tests "${package[@]}"
    run_tests --filter "$random_programs"
    test_separately "${targets[@]}"
}

# Tests the modules that call handlers without counting references, optimized, because the optimizer
# may end a life earlier. `@testable` needs -enable-testing. The skipped tests need an allocator that
# uses an address again soon.
step_sanitizer_address() {
    package_of asan release "$(swift_array "${sanitized_tests[@]}")"
    build_tests "${package[@]}" -Xswiftc -enable-testing --sanitize=address
    export ASAN_OPTIONS=detect_leaks=0
    TIDINGS_MODEL_PROGRAMS=300 run_tests --filter "$random_programs"
    run_tests --filter '^Tidings(Resources|Foundation)?Tests\.' --skip "$random_programs" \
        --skip '(AtThe|Subjects)Address'
}

step_sanitizer_check() { Scripts/check-sanitizer.sh; }

step_crashes() { Scripts/check-crashes.sh; }

step_examples() { Scripts/check-examples.sh; }

step_api() { Scripts/public-api.sh --check; }

# A program that does not compile needs the interfaces of two modules only.
step_wrong_programs() {
    without_sanitizer
    swift build "${package[@]}" --target TidingsResources
    python3 Scripts/check-wrong-programs.py "$(swift build "${package[@]}" --show-bin-path)/Modules"
}

step_docs() {
    Scripts/check-snippets.sh
    Scripts/docs.sh
}

step_allocations() { Scripts/check-allocations.sh; }

# Only checks that each row runs; `make bench` checks the gates on an idle machine.
step_benchmarks() {
    Scripts/build-release.sh CoreBenchmarks DiagnosticsBenchmarks DesktopPosts BridgeBenchmarks
    export TIDINGS_BENCHMARK_PAIRS=1
    .build/release/CoreBenchmarks
    .build/release/DiagnosticsBenchmarks
    python3 Benchmarks/bridge.py --binary .build/release/BridgeBenchmarks \
        --json .build/test-logs/bridge-benchmarks.json
}

# The programs of the end-to-end tests; after the earlier steps, this builds nothing.
step_programs() {
    step_release
    without_sanitizer
    swift build "${package[@]}" --product OfflineKillPoint
    swift build "${package[@]}" --product TidingsSendReports
}

step_end_to_end() {
    mkdir -p .build/test-logs
    # A process of its own: in a condition, bash would go on after a failing command.
    Scripts/step.sh programs >.build/test-logs/end-to-end-build.log 2>&1 ||
        fail "the programs under test do not build: .build/test-logs/end-to-end-build.log"
    # Two at once: most of these tests wait for a throttled server, a kill or a browser.
    hide_site_resolver
    .build/venv/bin/python -m pytest -p no:cacheprovider -n 2 Offline/Tests/EndToEnd
}

[ $# = 1 ] || fail "usage: Scripts/step.sh STEP; Scripts/test.sh --list shows the steps"
declare -F "step_${1//-/_}" >/dev/null || fail "unknown step '$1'; Scripts/test.sh --list shows the steps"
"step_${1//-/_}"
