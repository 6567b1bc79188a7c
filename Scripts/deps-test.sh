#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the additional packages for tests and benchmarks. Prints nothing if all are installed.
source "$(dirname "$0")/common.sh"
source Scripts/packages.sh

keep_from_starting nats-server nats-server.service
ensure_packages "testing" <<'NEEDS'
chromium        cmd:chromium
chromium-headless-shell cmd:chromium-headless-shell
chromium-driver cmd:chromedriver
firefox-esr     cmd:firefox-esr
python3         cmd:python3
mpv             cmd:mpv
strace          cmd:strace
iproute2        cmd:ip
util-linux      cmd:unshare
curl            cmd:curl
aria2           cmd:aria2c
groff-base      cmd:groff
man-db          cmd:man
shellcheck      cmd:shellcheck
node-typescript cmd:tsc
git             cmd:git
desktop-file-utils cmd:desktop-file-validate
fonts-dejavu-core cmd:fc-list
dbus            cmd:dbus-daemon
libglib2.0-bin  cmd:gdbus
python3-gi      py:gi
python3-h2      py:h2
openssl         cmd:openssl
dunst           cmd:dunst cmd:dunstctl
xfce4-notifyd   cmd:xfce4-notifyd-config
lxqt-notificationd cmd:lxqt-notificationd
xdg-desktop-portal cmd:xdg-desktop-portal
xdg-desktop-portal-gtk cmd:xdg-desktop-portal-gtk
xvfb            cmd:Xvfb
xdotool         cmd:xdotool
zbar-tools      cmd:zbarimg
x11-utils       cmd:xwininfo
x11-xserver-utils cmd:xsetroot
imagemagick     cmd:import
nats-server     cmd:nats-server
libnats-dev     lib:libnats:nats/nats.h
NEEDS

venv=.build/venv
requirements=Tests/requirements.txt
stamp="$venv/installed.txt"
if [ -x "$venv/bin/python" ] && cmp -s "$requirements" "$stamp"; then exit 0; fi

# Debian packages venv separately from python3. Other Pythons include venv.
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    install_packages "the tests' Python tools" python3-venv
fi
say "installing the tests' Python tools into $venv"
rm -rf "$venv"
python3 -m venv "$venv"
patiently "installing Python tools" "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --no-input --requirement "$requirements"
cp "$requirements" "$stamp"
