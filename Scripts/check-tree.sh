#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What every file of the tree must keep: licence line, size, no trace of one person's machine.
source "$(dirname "$0")/common.sh"

problems=0
problem() {
    say "$*"
    problems=$((problems + 1))
}

mapfile -t sources < <(tree_files '*.swift' '*.c' '*.h' '*.sh' '*.py' '*.js' '*.mjs' '*.css' '*.html' \
    Makefile '*/Makefile' '*.modulemap')
for file in "${sources[@]}"; do
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0' ||
        problem "$file: no line 'SPDX-License-Identifier: Apache-2.0' at the top"
done

mapfile -t swift_files < <(tree_files '*.swift')
for file in "${swift_files[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 500 ] || problem "$file: $lines lines; 500 is the most"
done

# What the compiler is told and does not check, at run time either, has its reason right before it: a
# comment that says "Invariant" or "Unchecked".
mapfile -t shipped < <(tree_files 'Sources/*.swift')
if awk '
    FNR == 1 || /^[ \t]*$/ { has_reason = 0 }
    /^[ \t]*\/\// { if (/Invariant|Unchecked/) has_reason = 1; next }
    /@unchecked|nonisolated\(unsafe\)|unsafeBitCast/ && !has_reason { print FILENAME ":" FNR ": " $0; found = 1 }
    /[{}]$/ { has_reason = 0 }
    END { exit !found }
' "${shipped[@]}"; then problem "^ a claim without its reason"; fi

mapfile -t texts < <(tree_files | grep -v -e '\.png$' -e '\.ts$' -e '\.mp4$' -e '\.jpg$')
# The tests that take such paths out of reports name some of people who do not exist.
places='(^|[^A-Za-z0-9_.~/}-])/(root|work|opt/swift|tmp/wt|home/[a-z]+|Users/[A-Za-z]+)/'
if grep -nIE "$places" "${texts[@]}" | grep -vE '/(Redactor|Scribe|CrashReporterPrivacy)Tests\.swift:'; then
    problem "^ a path of one machine"
fi
if grep -nIE '\b(TOD[O]|FIXM[E]|XX[X])\b' "${texts[@]}"; then problem "^ a note to oneself"; fi

[ "$(wc -l <README.md)" -le 120 ] || problem "README.md: more than 120 lines"
Scripts/check-readme.sh || problem "^ README.md"

[ "$problems" = 0 ] || fail "$problems problem(s) in the tree"
