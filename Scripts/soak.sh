#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the tests that look for rare faults: ROUNDS times each (20 if not given), first failure stops.
source "$(dirname "$0")/common.sh"
require_swift
rounds=${ROUNDS:-20}

Scripts/test.sh deps build release
for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    Scripts/test.sh test sanitizer
done
say "kills: $((rounds * 20)) at random moments"
OFFLINE_KILLS=$((rounds * 20)) Scripts/test.sh end-to-end
