#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the public declarations with Documentation/PublicAPI.json, or rewrites that file
# (--write).
source "$(dirname "$0")/common.sh"
require_swift

recorded=Documentation/PublicAPI.json
current=.build/PublicAPI.json
Scripts/symbol-graphs.sh
python3 Scripts/public-api.py .build/symbol-graphs >"$current"

case ${1:---check} in
    --write)
        cp "$current" "$recorded"
        say "wrote $recorded"
        ;;
    --check)
        diff -u "$recorded" "$current" ||
            fail "the public API changed; if this is intended, run make api and add a file to Changes"
        ;;
    *) fail "usage: Scripts/public-api.sh [--check | --write]" ;;
esac
