#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Answers quickly after a change: checks the format, compiles the changed modules for debugging, and
# runs the tests of modules that have changed, or whose imports have changed, since the tests last
# passed. The first call builds everything and runs all unit tests. `make test` runs more.
source "$(dirname "$0")/common.sh"
require_swift

logs=.build/check-logs
mkdir -p "$logs"
Scripts/deps.sh
Scripts/deps-test.sh
Scripts/check-format.sh
say "the format is right ($SECONDS s); building ..."
use_temporary_folder
check_package
build_tests >"$logs/build.log" 2>&1 || {
    grep -E 'error:|warning:' "$logs/build.log" | grep -v enable-batch-mode || tail -n 40 "$logs/build.log"
    fail "the build failed: $logs/build.log"
}
mapfile -t changed < <(python3 Scripts/link-programs.py changed "$bin" "${targets[@]}")
say "built ($SECONDS s); ${#changed[@]} modules of tests have changed since they passed"
if [ ${#changed[@]} = 0 ]; then exit; fi

# The modules run side by side. The largest starts first, because that module takes longest.
test_module() { # test target
    local log=$logs/$1.log part
    : >"$log"
    while read -r part; do
        "$bin/$1.xctest" --testing-library swift-testing --filter "$part" >>"$log" 2>&1 </dev/null || {
            grep -aE '✘|Sanitizer:' "$log" | head -n 60 || tail -n 40 "$log"
            fail "$1 failed: $log"
        }
        tail -n 5 "$log" | grep -qaE 'Test run with [1-9][0-9]* tests?' || fail "$1: no test ran in $part"
    done < <(parts_of "$1")
    touch "$bin/$1.passed"
    say "ok  $1: $(count_of "$log") tests ($SECONDS s)"
}

count_of() { # logs
    grep -ahoE 'Test run with [0-9]+ tests?' "$@" | awk '{ count += $4 } END { print count + 0 }'
}

hide_site_resolver
passed=() failed=0
mapfile -t largest_first < <(cd "$bin" && ls -S -- "${changed[@]/%/.xctest}")
for program in "${largest_first[@]}"; do
    if [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; then wait -n || failed=1; fi
    test_module "${program%.xctest}" &
    passed+=("$logs/${program%.xctest}.log")
done
for program in "${largest_first[@]}"; do wait -n 2>/dev/null || [ $? = 127 ] || failed=1; done
[ "$failed" = 0 ] || fail "tests failed"
say "Tests: $(count_of "${passed[@]}") passed, 0 failed"
