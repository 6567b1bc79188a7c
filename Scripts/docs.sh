#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation of all public modules into .build/docs/MODULE, with warnings as errors.
source "$(dirname "$0")/common.sh"
require_swift

Scripts/symbol-graphs.sh
for module in $(public_modules); do
    catalog="Sources/$module/$module.docc"
    [ -d "$catalog" ] || fail "$module has no documentation catalog ($catalog)"
    mkdir -p .build/docs
    rm -rf ".build/docs/$module"
    docc convert "$catalog" \
        --additional-symbol-graph-dir ".build/symbol-graphs/$module" \
        --fallback-display-name "$module" \
        --fallback-bundle-identifier "$module" \
        --warnings-as-errors \
        --output-path ".build/docs/$module"
done
say "documentation is in .build/docs"
