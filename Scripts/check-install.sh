#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder, moves the folder, and checks that the program serves the page from there.
# With OFFLINE_BUILD the script installs the programs of that build, otherwise optimized programs
# that need no toolchain.
source "$(dirname "$0")/common.sh"

staged=$PWD/.build/install-check
moved=$(mktemp -d)
trap 'rm -rf "$moved" "$staged"' EXIT
rm -rf "$staged"
DESTDIR=$staged PREFIX=/usr Scripts/install.sh
desktop=$staged/usr/share/applications/org.tidings.offline.desktop
desktop-file-validate "$desktop" || fail "the desktop file is not valid"
grep -qx 'Exec="/usr/bin/offline" serve' "$desktop" || fail "the desktop file does not start the program"
grep -qx 'Exec="/usr/bin/offline" serve --no-browser --activated' \
    "$staged/usr/share/dbus-1/services/org.tidings.offline.service" || fail "the message bus cannot start the program"
[ -s "$staged/usr/share/icons/hicolor/scalable/apps/org.tidings.offline.svg" ] || fail "the icon is missing"
for part in "$staged/usr/share/offline/Extension/"{manifest.json,background.js,icon.png}; do
    [ -s "$part" ] || fail "the browser extension is incomplete: $part is missing"
done
mv "$staged/usr" "$moved/usr"
program=$moved/usr/bin/offline

if [ -z "${OFFLINE_BUILD:-}" ] && ldd "$program" | grep -E 'libswift|libFoundation|not found'; then
    fail "the program needs libraries of its toolchain"
fi
"$program" help >/dev/null || fail "offline help failed"

# `grep` waits at the pipe for the address. The open descriptor lets the program print more later.
mkfifo "$moved/out"
exec 3<>"$moved/out"
"$program" serve --port 0 --library "$moved/library" >&3 2>"$moved/errors" &
server=$!
address=$(timeout 20 grep -m 1 -oE 'http://127\.0\.0\.1:[0-9]+/\?token=[^ ]+' <&3 || true)
curl --silent --show-error --fail --location --cookie-jar - "${address:-none}" >"$moved/page" ||
    { cat "$moved/errors" >&2; fail "the installed program serves no page"; }
grep -qi '<title>' "$moved/page" || fail "the installed program serves a different page"
kill -TERM "$server"
wait "$server" || fail "the installed program ended with $? after SIGTERM"
