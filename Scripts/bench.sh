#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the benchmarks in a release build, writes .build/bench.json and prints a table.
# `Scripts/bench.sh --only SUBSTRING` measures only the rows of the core with SUBSTRING in the title
# and writes no file. With an additional `--profile` the rows run for a profiler.
#
# A missed gate is printed as MISSED but does not fail the command, because a busy machine can miss
# a gate although most values are ratios within one run. A benchmark that cannot run fails the
# command.
source "$(dirname "$0")/common.sh"
require_swift

if [ "${1:-}" = --only ]; then
    build_benchmarks
    exec .build/benchmarks/release/CoreBenchmarks "$@"
fi
Scripts/deps.sh
Scripts/deps-test.sh

results=.build/bench
rm -rf "$results"
mkdir -p "$results"

say "building"
Scripts/build-release.sh >&2
build_benchmarks

say "measuring messages"
.build/benchmarks/release/CoreBenchmarks "$results/core.json" >&2
say "measuring reports"
.build/benchmarks/release/DiagnosticsBenchmarks "$results/diagnostics.json" >&2
say "counting allocations"
Scripts/check-allocations.sh "$results/core-allocations.json" || [ $? = 1 ] ||
    fail "the allocation count did not run"
say "measuring downloads"
.build/venv/bin/python Benchmarks/downloads.py --binary .build/release/offline \
    --json "$results/downloads.json" >&2
say "measuring large libraries"
.build/venv/bin/python Benchmarks/library.py --binary .build/release/offline \
    --json "$results/library.json" >&2
say "measuring the page"
.build/venv/bin/python Benchmarks/page.py --binary .build/release/offline \
    --json "$results/page.json" >&2
say "measuring notifications"
.build/venv/bin/python Benchmarks/notifications.py --binary .build/benchmarks/release/DesktopPosts \
    --json "$results/notifications.json" >&2
say "measuring the bridge"
.build/venv/bin/python Benchmarks/bridge.py --binary .build/benchmarks/release/BridgeBenchmarks \
    --json "$results/bridge.json" >&2

python3 Scripts/bench-report.py .build/bench.json "$results"/*.json
