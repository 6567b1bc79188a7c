#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all checks and tests, or the named steps: Scripts/test.sh [--list] [STEP...]
#
# The script first installs missing packages. Then Scripts/run-steps.py runs the steps in a folder
# for temporary files, which is removed after the run. A step without a script, tool or tests fails,
# so no step is skipped.
source "$(dirname "$0")/common.sh"

if [ "${1:-}" = --list ]; then exec python3 Scripts/run-steps.py --list; fi
require_swift
mkdir -p .build

exec 9>.build/test.lock
flock -n 9 || fail "another run of Scripts/test.sh works in this checkout; wait until it ends"

begin=$SECONDS
Scripts/step.sh deps
say "everything that the tests need is installed ($((SECONDS - begin)) s)"

use_temporary_folder
# The steps run in the background, so that a signal to this shell also ends the steps.
python3 Scripts/run-steps.py "$@" 9>&- &
runner=$!
trap 'kill -TERM $runner 2>/dev/null; wait $runner || true; exit 130' INT TERM HUP
wait $runner
