#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the programs that people run: .build/release/offline and tidings-symbolicate.
#
# The Swift runtime is linked into it, so that an installed program outlives the toolchain that
# built it; it also starts in two thirds of the memory.
source "$(dirname "$0")/common.sh"
require_swift
swift build -c release --static-swift-stdlib --product offline
swift build -c release --static-swift-stdlib --product tidings-symbolicate
