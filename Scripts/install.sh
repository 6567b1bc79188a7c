#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs bin/offline and share/offline (the page and the sample) under DESTDIR/PREFIX.
source "$(dirname "$0")/common.sh"
Scripts/deps.sh
Scripts/build-release.sh

root="${DESTDIR:-}${PREFIX:-/usr/local}"
resources=.build/release/tidings_OfflineServer.resources
install -d "$root/bin"
# Under the final name at once: a running `offline` keeps the file that it was started from.
install -m 755 .build/release/offline "$root/bin/.offline.new"
mv "$root/bin/.offline.new" "$root/bin/offline"
rm -rf "$root/share/offline"
find "$resources" -type f -printf '%P\n' | while read -r file; do
    install -D -m 644 "$resources/$file" "$root/share/offline/$file"
done
say "installed $root/bin/offline and $root/share/offline"
