#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds optimized programs into .build/release: Scripts/build-release.sh [PRODUCT...]. Without
# arguments, those that are installed.
#
# They link the Swift runtime statically, so that they do not need the toolchain; this also reduces
# their memory at the start by a third.
source "$(dirname "$0")/common.sh"
require_swift
[ $# -gt 0 ] || set -- offline tidings-symbolicate
for product in "$@"; do swift build -c release --static-swift-stdlib --product "$product"; done
