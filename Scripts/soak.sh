#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the tests that look for rare faults until the first failure: ROUNDS rounds (20 if not
# given), each with all Swift tests, those under the sanitizer, and 60 kills at random moments.
source "$(dirname "$0")/common.sh"
require_swift
rounds=${ROUNDS:-20}
export OFFLINE_KILLS=${OFFLINE_KILLS:-60}
export PYTEST_ADDOPTS='-k random_moments'

Scripts/test.sh deps build release
for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    Scripts/test.sh test sanitizer end-to-end
done
