#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the examples and compares their output with the expected output.
source "$(dirname "$0")/common.sh"
require_swift

scratch=.build/examples
build_nested Examples "$scratch"
bin=$(swift build --package-path Examples --scratch-path "$scratch" --show-bin-path)

mapfile -t expected < <(tree_files 'Examples/*/expected-output.txt')
[ "${#expected[@]}" -gt 0 ] || fail "no example has an expected output"
for file in "${expected[@]}"; do
    name=$(basename "$(dirname "$file")")
    timeout 120 "$bin/$name" >"$scratch/$name.txt" || fail "$name ended with status $?"
    diff -u "$file" "$scratch/$name.txt" || fail "the output of $name differs from $file"
    say "$name prints its expected output"
done
