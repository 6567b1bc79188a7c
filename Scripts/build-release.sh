#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the installable programs: .build/release/offline and .build/release/tidings-symbolicate.
#
# They link the Swift runtime statically, so that they do not need the toolchain; this also reduces
# their memory at the start by a third.
source "$(dirname "$0")/common.sh"
require_swift
swift build -c release --static-swift-stdlib --product offline
swift build -c release --static-swift-stdlib --product tidings-symbolicate
