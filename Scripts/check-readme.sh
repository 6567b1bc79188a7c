#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program in README.md is a snippet that the build compiles, and every file that a page of the
# documentation links to or names by its path exists.
source "$(dirname "$0")/common.sh"

snippet=Snippets/LessonList.swift
[ "$(grep -c '^```swift$' README.md)" = 2 ] || fail "README.md needs a dependency and a program"
diff <(sed '/^\/\/ /d' "$snippet" | sed '/./,$!d') \
    <(awk '/^```swift$/ { inside = ++count == 2; next } /^```$/ { inside = 0 } inside' README.md) ||
    fail "the program of README.md is not $snippet"

mapfile -t pages < <(tree_files '*.md' | grep -v '\.docc/')
# The quotes are Markdown's.
# shellcheck disable=SC2016
named_path='`(Sources|Offline|Tests|Scripts|Documentation|Examples|Snippets|Benchmarks)/[^` ]+`'
missing=0
for page in "${pages[@]}"; do
    while read -r link; do
        if [ ! -e "$(dirname "$page")/$link" ]; then
            say "$page links to $link, which does not exist"
            missing=1
        fi
    done < <(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -vE '^https?:')
    # The changelog names files as they were.
    [ "$page" != CHANGELOG.md ] || continue
    while read -r path; do
        if ! compgen -G "$path" >/dev/null; then
            say "$page names $path, which does not exist"
            missing=1
        fi
    done < <(grep -oE "$named_path" "$page" | tr -d '`')
done
[ "$missing" = 0 ] || fail "pages name files that do not exist"
