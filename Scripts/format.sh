#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats every Swift file in place.
source "$(dirname "$0")/common.sh"
require_swift
mapfile -t files < <(tree_files '*.swift')
swift format --in-place --parallel "${files[@]}"
