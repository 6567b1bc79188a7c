#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what running needs, builds `offline` and starts its server.
source "$(dirname "$0")/common.sh"
require_swift
Scripts/deps.sh
swift build -c release --product offline
# shellcheck disable=SC2086 # ARGS is a list of words
exec .build/release/offline serve ${ARGS:-}
