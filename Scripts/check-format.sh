#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The configuration says all there is to say, and every Swift file follows it.
source "$(dirname "$0")/common.sh"

# `swift format` ignores a key it does not know, so a typing error would go unnoticed.
diff .swift-format <(swift format dump-configuration --effective) ||
    fail ".swift-format is not what the tool reads: swift format dump-configuration --effective"

mapfile -t files < <(tree_files '*.swift')
swift format lint --strict --parallel "${files[@]}"
