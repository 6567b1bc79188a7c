#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the format configuration is complete and that every Swift file follows the
# configuration.
source "$(dirname "$0")/common.sh"

# `swift format` ignores unknown keys, so a misspelled key would go unnoticed.
diff .swift-format <(swift format dump-configuration --effective) ||
    fail ".swift-format differs from the output of: swift format dump-configuration --effective"

mapfile -t files < <(tree_files '*.swift')
swift format lint --strict --parallel "${files[@]}"
