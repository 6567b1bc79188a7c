#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs in README.md are snippets that the build compiles, and every file it names exists.
source "$(dirname "$0")/common.sh"

snippets=(Snippets/FirstMessage.swift Snippets/LoadedProducts.swift)

block() { # which Swift block of README.md, from 1
    awk -v wanted="$1" '
        /^```swift$/ { inside = ++count == wanted; next }
        /^```$/ { inside = 0 }
        inside
    ' README.md
}

[ "$(grep -c '^```swift$' README.md)" = "${#snippets[@]}" ] ||
    fail "README.md has other Swift blocks than ${snippets[*]}"
for index in "${!snippets[@]}"; do
    snippet=${snippets[index]}
    diff <(sed '/^\/\/ /d' "$snippet" | sed '/./,$!d') <(block $((index + 1))) ||
        fail "Swift block $((index + 1)) of README.md is not $snippet"
done

grep -oE '\]\([^)#]+' README.md | sed 's/^](//' | grep -vE '^https?:' | while read -r link; do
    [ -e "$link" ] || fail "README.md names $link, which does not exist"
done
