#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Extracts the symbol graphs of the public modules from the debug build into
# .build/symbol-graphs/MODULE.
source "$(dirname "$0")/common.sh"
require_swift

without_sanitizer
for module in $(public_modules); do swift build "${package[@]}" --target "$module"; done
products=$(swift build "${package[@]}" --show-bin-path)
triple=$(swift -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",?$/\1/p' | head -n 1)
# A module that imports a C library needs the module map of that library.
maps=()
for map in "$products"/CTidings*.build/module.modulemap Sources/CTidings*/module.modulemap; do
    maps+=(-Xcc "-fmodule-map-file=$map")
done
for module in $(public_modules); do
    output=".build/symbol-graphs/$module"
    rm -rf "$output"
    mkdir -p "$output"
    swift symbolgraph-extract -module-name "$module" -I "$products/Modules" -target "$triple" \
        "${maps[@]}" \
        -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
        -output-dir "$output"
done
