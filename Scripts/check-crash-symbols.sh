#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the handler of fatal signals calls only async-signal-safe functions. The undefined
# symbols of the handler's objects, with and without optimization, must be exactly the symbols in
# Scripts/crash-symbols.txt. The folder Threads takes no part in the handling of a signal. FOLDER
# names other sources to check: Scripts/check-crash-symbols.sh [FOLDER]
source "$(dirname "$0")/common.sh"

sources=${1:-Sources/CTidingsCrash}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
expected="$objects/expected"
grep -v '^#' Scripts/crash-symbols.txt | awk 'NF { print $1 }' | sort >"$expected"

for level in -O0 -O2; do
    for source in "$sources"/*.c; do
        clang -std=c17 "$level" -fPIC -I "$sources/include" -c "$source" \
            -o "$objects/$(basename "$source" .c)$level.o"
    done
    # A file may use symbols that another file defines.
    ld -r "$objects"/*"$level.o" -o "$objects/all$level"
    nm --undefined-only "$objects/all$level" | awk '{ print $2 }' >>"$objects/found"
done
sort -u -o "$objects/found" "$objects/found"
unknown=$(comm -13 "$expected" "$objects/found" | xargs)
[ -z "$unknown" ] ||
    fail "the signal handler uses symbols that Scripts/crash-symbols.txt does not list: $unknown"
unused=$(comm -23 "$expected" "$objects/found" | xargs)
[ -z "$unused" ] || fail "Scripts/crash-symbols.txt lists unused symbols: $unused"
