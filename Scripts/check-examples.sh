#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the examples, a package like that of a user, and compares their output with the expected
# output. A program that depends on the core only must not need Foundation or a C library.
source "$(dirname "$0")/common.sh"
require_swift

# A cached plan would not notice files that were added to or removed from the surrounding package.
build_examples=(swift build --disable-build-manifest-caching --package-path Examples --scratch-path .build/examples)
"${build_examples[@]}"
bin=$("${build_examples[@]}" --show-bin-path)

mapfile -t expected < <(tree_files 'Examples/*/expected-output.txt')
[ "${#expected[@]}" -gt 0 ] || fail "no example has an expected output"
for file in "${expected[@]}"; do
    name=$(basename "$(dirname "$file")")
    # One of several processes has a script that starts and kills them.
    if [ -e "Examples/$name/run.sh" ]; then
        run=("Examples/$name/run.sh" "$bin/$name")
    else
        run=("$bin/$name")
    fi
    timeout 300 "${run[@]}" >"$bin/$name.txt" || fail "$name ended with status $?"
    diff -u "$file" "$bin/$name.txt" || fail "the output of $name differs from $file"
    say "$name prints its expected output"
done

# `make soak` does this for longer.
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
