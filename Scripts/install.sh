#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the program into DESTDIR/PREFIX: bin/offline and, beside the library, its page.
source "$(dirname "$0")/common.sh"
require_swift
Scripts/deps.sh
swift build -c release --product offline

root="${DESTDIR:-}${PREFIX:-/usr/local}"
install -d "$root/bin"
install -m 755 .build/release/offline "$root/bin/offline"
say "installed $root/bin/offline"
