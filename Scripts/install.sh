#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs bin/offline and share/offline (the page, the sample and the browser extension) under
# DESTDIR/PREFIX, and the desktop file, the icon and the D-Bus service that launchers and
# notification daemons use. OFFLINE_BUILD names the folder of another build. Without OFFLINE_BUILD,
# this script makes an optimized build.
source "$(dirname "$0")/common.sh"

prefix=$(realpath -ms "${PREFIX:-/usr/local}")
root="${DESTDIR:-}$prefix"
name=org.tidings.offline
case $prefix in
    *[\"\`\$\\%\&]*) fail "PREFIX contains a character that no desktop file can name; choose another one" ;;
esac
build=${OFFLINE_BUILD:-.build/release}
if [ -z "${OFFLINE_BUILD:-}" ]; then
    Scripts/deps.sh
    Scripts/build-release.sh
fi

resources=$build/tidings_OfflineServer.resources
install -d "$root/bin"
# A rename replaces each program in one step. A running program keeps the old file.
for program in offline tidings-symbolicate; do
    install -m 755 "$build/$program" "$root/bin/.$program.new"
    mv "$root/bin/.$program.new" "$root/bin/$program"
done
rm -rf "$root/share/offline"
find "$resources" -type f -printf '%P\n' | while read -r file; do
    install -D -m 644 "$resources/$file" "$root/share/offline/$file"
done
install -d "$root/share/offline/Extension"
install -m 644 Offline/Extension/* "$root/share/offline/Extension"

# The program prints the manual page and the completions, so that each of them lists every command.
printed() {
    local path=$root/share/$1
    shift
    install -d "$(dirname "$path")"
    "$build/offline" "$@" >"$path"
}
printed man/man1/offline.1 manual
printed bash-completion/completions/offline completion bash
printed zsh/site-functions/_offline completion zsh
printed fish/vendor_completions.d/offline.fish completion fish

install -d "$root/share/applications"
entry=$(grep -v '^#' "Offline/Packaging/$name.desktop.in")
printf '%s\n' "${entry//@PROGRAM@/"\"$prefix/bin/offline\""}" >"$root/share/applications/$name.desktop"
install -d "$root/share/dbus-1/services"
entry=$(grep -v '^#' "Offline/Packaging/$name.service.in")
printf '%s\n' "${entry//@PROGRAM@/"\"$prefix/bin/offline\""}" >"$root/share/dbus-1/services/$name.service"
install -D -m 644 Offline/Sources/OfflineServer/Page/icon.svg \
    "$root/share/icons/hicolor/scalable/apps/$name.svg"
# The caches only improve speed, and a staged tree does not belong to this system.
if [ -z "${DESTDIR:-}" ]; then
    update-desktop-database -q "$root/share/applications" 2>/dev/null || true
    gtk-update-icon-cache -qtf "$root/share/icons/hicolor" 2>/dev/null || true
fi
say "installed $root/bin/offline and $root/share/offline"
