#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds, links and runs a package that depends on the core only: without Foundation and the other
# modules' C libraries, and with the main-actor promise in both kinds of `main`.
source "$(dirname "$0")/common.sh"
require_swift

scratch=.build/core-alone
build_nested Tests/CoreAlone "$scratch"
bin=$(build_nested Tests/CoreAlone "$scratch" --show-bin-path)

foreign='Foundation|icu|libcurl|sqlite|libcrypto|libssl|microhttpd'
for program in CoreAlone AsyncMain PlainMain; do
    timeout 60 "$bin/$program" || fail "$program ended with status $?"
    needed=$(readelf -d "$bin/$program" | grep NEEDED) || fail "$program: readelf shows no libraries"
    loaded=$(ldd "$bin/$program") || fail "$program: ldd failed"
    grep -q libswiftSynchronization <<<"$needed" || fail "$program does not link the core's library"
    if grep -E "$foreign" <<<"$needed$loaded"; then fail "$program links a library that the core must not need"; fi
done
say "the core has no unwanted dependency"
