#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages for running, builds `offline` and starts the server.
source "$(dirname "$0")/common.sh"
Scripts/deps.sh
Scripts/build-release.sh
# shellcheck disable=SC2086 # ARGS is a list of words
exec .build/release/offline serve ${ARGS:-}
