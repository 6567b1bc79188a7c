#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the rules for every file of the tree: a license line first, size, documentation, plain
# English, and no trace of one developer's machine.
source "$(dirname "$0")/common.sh"

problems=0
problem() {
    say "$*"
    problems=$((problems + 1))
}

mapfile -t sources < <(tree_files '*.swift' '*.c' '*.h' '*.sh' '*.py' '*.js' '*.mjs' '*.css' '*.html' \
    Makefile '*/Makefile' '*.modulemap')
for file in "${sources[@]}"; do
    # Only a line by which the system or the package manager recognizes the file may come first.
    awk 'NR == 1 && /^(#!|\/\/ swift-tools-version|<!)/ { next }
        { found = /SPDX-License-Identifier: Apache-2\.0/; exit } END { exit !found }' "$file" ||
        problem "$file: the first line is not 'SPDX-License-Identifier: Apache-2.0'"
done

mapfile -t swift_files < <(tree_files '*.swift')
for file in "${swift_files[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 500 ] || problem "$file: $lines lines; the maximum is 500"
done

# The formatter wraps everything but text in quotes.
if awk 'length > 100 && !/"/ && !/\\$/ { print FILENAME ":" FNR ": " length " columns"; found = 1 } END { exit !found }' \
    "${swift_files[@]}"; then problem "^ longer than 100 columns"; fi

# Each unchecked claim to the compiler needs a reason directly before the claim: a comment that
# contains "Invariant" or "Unchecked".
mapfile -t shipped < <(tree_files 'Sources/*.swift' 'Offline/Sources/*.swift')
if awk '
    FNR == 1 || /^[ \t]*$/ { has_reason = 0 }
    /^[ \t]*\/\// { if (/Invariant|Unchecked/) has_reason = 1; next }
    /@unchecked|nonisolated\(unsafe\)|unsafeBitCast/ && !has_reason { print FILENAME ":" FNR ": " $0; found = 1 }
    /[{}]$/ { has_reason = 0 }
    END { exit !found }
' "${shipped[@]}"; then problem "^ an unchecked claim without a reason"; fi

# On a busy machine, a test that only computes may start minutes after the test's suite.
if grep -nE 'timeLimit\(\.minutes\([1-4]\)\)' "${swift_files[@]}"; then
    problem "^ a time limit that a busy machine exceeds; write .minutes(5)"
fi
# Foundation's Process passes the pipes and sockets of other threads on to the program.
mapfile -t swift_tests < <(tree_files 'Tests/*.swift' 'Offline/Tests/*.swift')
if grep -nE '\bProcess\(\)' "${swift_tests[@]}"; then
    problem "^ a program with the pipes of other tests; use ChildProgram"
fi
mapfile -t tests_in_python < <(tree_files 'Offline/Tests/EndToEnd/*.py')
if grep -nE '^ *(from|import) test_' "${tests_in_python[@]}"; then
    problem "^ a test file that imports another; put what both need into harness/"
fi
# The module compiles without the standard library only as long as all code is for Linux.
mapfile -t desktop < <(tree_files 'Sources/TidingsDesktop/*.swift')
module=$(mktemp -d)
swiftc -frontend -emit-module -parse-stdlib -target arm64-apple-macosx15.0 -module-name TidingsDesktop \
    -o "$module/TidingsDesktop.swiftmodule" "${desktop[@]}" >&2 ||
    problem "^ TidingsDesktop is not empty on other systems; put the file between #if os(Linux) and #endif"
rm -rf "$module"
python3 Scripts/check-words.py || problem "^ declarations and words"
python3 Scripts/check-page.py || problem "^ the imports of the page's scripts"
python3 Scripts/check-bounds.py || problem "^ the bounds of modules and types"
python3 Scripts/promises.py || problem "^ Documentation/Promises.md"
python3 Scripts/changelog.py || problem "^ the changes of the next version"

mapfile -t texts < <(tree_files | grep -v -e '\.png$' -e '\.ts$' -e '\.mp4$' -e '\.jpg$')
# The tests for the redaction of such paths contain fictional ones.
places='(^|[^A-Za-z0-9_.~/}-])/(root|work|opt/swift|tmp/wt|home/[a-z]+|Users/[A-Za-z]+)/'
if grep -nIE "$places" "${texts[@]}" | grep -vE '/(Redactor|RedactingWriter|CrashReporterPrivacy)Tests\.swift:'; then
    problem "^ a machine-specific path"
fi
if grep -nIE '^(<<<<<<<|>>>>>>>) ' "${texts[@]}"; then problem "^ a mark of an unfinished merge"; fi
if grep -nIE '\b(TOD[O]|FIXM[E]|XX[X])\b' "${texts[@]}"; then problem "^ an open note"; fi

[ "$(wc -l <README.md)" -le 120 ] || problem "README.md: more than 120 lines"
Scripts/check-readme.sh || problem "^ README.md"

[ "$problems" = 0 ] || fail "$problems problem(s) in the tree"
