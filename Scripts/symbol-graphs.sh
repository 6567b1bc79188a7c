#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Extracts the symbol graphs of the public modules from the debug build, once for each build, into
# .build/symbol-graphs/MODULE.
source "$(dirname "$0")/common.sh"
require_swift

debug_package
[ -d "$bin/Modules" ] || fail "the debug build is missing; run Scripts/test.sh build"
triple=$(swift -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",?$/\1/p' | head -n 1)
# A module that imports a C library needs that library's module map.
maps=()
for map in "$bin"/CTidings*.build/module.modulemap Sources/CTidings*/module.modulemap; do
    maps+=(-Xcc "-fmodule-map-file=$map")
done
for module in $(public_modules); do
    output=".build/symbol-graphs/$module"
    rm -rf "$output"
    mkdir -p "$output"
    swift symbolgraph-extract -module-name "$module" -I "$bin/Modules" -target "$triple" \
        "${maps[@]}" \
        -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
        -output-dir "$output"
done
