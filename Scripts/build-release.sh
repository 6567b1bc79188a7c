#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds optimized programs into .build/release: Scripts/build-release.sh [PRODUCT...]. Without
# arguments, the script builds the programs that are installed.
#
# The programs link the Swift runtime statically, so that users need no toolchain. This also reduces
# the programs' memory at the start by a third. `offline serve --join` needs the C client of NATS,
# and is left out where the client is not installed.
source "$(dirname "$0")/common.sh"
require_swift
[ $# -gt 0 ] || set -- offline tidings-symbolicate
traits=()
if pkg-config --exists libnats; then traits=(--traits NATS); fi
for product in "$@"; do
    swift build -c release --static-swift-stdlib "${traits[@]}" --product "$product"
done
