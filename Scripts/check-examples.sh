#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the output of the examples in a folder with the expected output:
# Scripts/check-examples.sh FOLDER. A program that depends only on the core must not need Foundation
# or a C library.
source "$(dirname "$0")/common.sh"

bin=${1:?the folder of the examples is missing}

mapfile -t expected < <(tree_files 'Examples/*/expected-output.txt')
[ "${#expected[@]}" -gt 0 ] || fail "no example has an expected output"
for file in "${expected[@]}"; do
    name=$(basename "$(dirname "$file")")
    # An example with several processes has a script that starts and kills the processes.
    if [ -e "Examples/$name/run.sh" ]; then
        run=("Examples/$name/run.sh" "$bin/$name")
    else
        run=("$bin/$name")
    fi
    timeout 300 "${run[@]}" >"$bin/$name.txt" || fail "$name ended with status $?"
    diff -u "$file" "$bin/$name.txt" || fail "the output of $name differs from $file"
    say "$name prints its expected output"
done

# `make soak` runs this test for longer.
timeout 300 python3 Tests/Servers/household_faults.py --program "$bin/Household" --faults 20 ||
    fail "the household has lost or swapped orders; the seed is above"

foreign='Foundation|icu|libcurl|sqlite|libcrypto|libssl|microhttpd|libxml'
for program in CoreAlone AsyncMain PlainMain; do
    needed=$(readelf -d "$bin/$program" | grep NEEDED) || fail "$program: readelf shows no libraries"
    loaded=$(ldd "$bin/$program") || fail "$program: ldd failed"
    grep -q libswiftSynchronization <<<"$needed" || fail "$program does not link the core's library"
    if grep -E "$foreign" <<<"$needed$loaded"; then fail "$program links a library that the core must not need"; fi
done
say "the core has no unwanted dependency"
