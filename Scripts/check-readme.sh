#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program in README.md is the snippet that the build compiles, and every file it names exists.
source "$(dirname "$0")/common.sh"

snippet=Snippets/FirstMessage.swift
diff <(sed '/^\/\/ /d' "$snippet" | sed '/./,$!d') \
    <(awk '/^```swift$/ { inside = 1; next } inside && /^```$/ { exit } inside' README.md) ||
    fail "the first Swift block of README.md is not $snippet"

grep -oE '\]\([^)#]+' README.md | sed 's/^](//' | grep -vE '^https?:' | while read -r link; do
    [ -e "$link" ] || fail "README.md names $link, which does not exist"
done
