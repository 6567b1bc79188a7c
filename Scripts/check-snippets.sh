#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that each Swift block of an article is contained verbatim in code that the build compiles.
# This code is a file of Snippets/, or of Tests/*/Snippets/ if the block is a test. Only code for
# Combine and RxSwift, behind `#if canImport`, is not compiled.
source "$(dirname "$0")/common.sh"

mapfile -t articles < <(tree_files 'Sources/*.docc/*.md' 'Documentation/*.docc/*.md')
[ "${#articles[@]}" -gt 0 ] || fail "there is no article in Sources"
mapfile -t snippets < <(tree_files 'Snippets/*.swift' '*Tests/Snippets/*.swift')
[ "${#snippets[@]}" -gt 0 ] || fail "there is no snippet"
python3 Scripts/check-snippets.py "${articles[@]}" -- "${snippets[@]}"
