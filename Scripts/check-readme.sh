#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the program in README.md is a snippet that the build compiles. Every file that a page
# of the documentation links to or names by path must exist. After “Paths start in `FOLDER/`”, this
# includes paths of FOLDER until the next heading.
source "$(dirname "$0")/common.sh"

snippet=Snippets/LessonList.swift
[ "$(grep -c '^```swift$' README.md)" = 2 ] || fail "README.md needs a dependency and a program"
diff <(sed '/^\/\/ /d' "$snippet" | sed '/./,$!d') \
    <(awk '/^```swift$/ { inside = ++count == 2; next } /^```$/ { inside = 0 } inside' README.md) ||
    fail "the program of README.md is not $snippet"

mapfile -t pages < <(tree_files '*.md' | grep -v '\.docc/')
# The backquotes are Markdown, not a command.
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
    # The changelog contains old names of files.
    [ "$page" != CHANGELOG.md ] || continue
    while read -r path; do
        if ! compgen -G "$path" >/dev/null; then
            say "$page names $path, which does not exist"
            missing=1
        fi
    done < <(
        grep -oE "$named_path" "$page" | tr -d '`'
        awk -v named="$named_path" '
            /^#/ { folder = "" }
            match($0, /Paths start in `[^`]+`/) { folder = substr($0, RSTART + 16, RLENGTH - 17); next }
            folder != "" {
                while (match($0, /`[^`]*`/)) {
                    word = substr($0, RSTART, RLENGTH)
                    $0 = substr($0, RSTART + RLENGTH)
                    if (word ~ /^`[A-Za-z-]+\/[^` …]+`$/ && word !~ named)
                        print folder substr(word, 2, length(word) - 2)
                }
            }' "$page"
    )
done
[ "$missing" = 0 ] || fail "pages name files that do not exist"
