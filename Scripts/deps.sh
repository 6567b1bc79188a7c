#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages for building and running `offline`. Prints nothing if all are installed.
# With ARGS=--with-sites the script also installs yt-dlp, with which `offline` reads more sites.
source "$(dirname "$0")/common.sh"
source Scripts/packages.sh

ensure_packages "building and running" <<'NEEDS'
libcurl4-openssl-dev lib:libcurl:curl/curl.h
libsqlite3-dev       lib:sqlite3:sqlite3.h
libssl-dev           lib:libcrypto:openssl/evp.h
libsystemd-dev       lib:libsystemd:systemd/sd-bus.h
libmicrohttpd-dev    lib:libmicrohttpd:microhttpd.h
libqrencode-dev      lib:libqrencode:qrencode.h
libxml2-dev          lib:libxml-2.0:libxml2/libxml/xmlreader.h
zlib1g-dev           lib:zlib:zlib.h
pkg-config           cmd:pkg-config
ffmpeg               cmd:ffmpeg cmd:ffprobe
util-linux           cmd:setpriv cmd:prlimit
NEEDS

if [ "${ARGS:-}" = --with-sites ]; then
    ensure_packages "reading more sites" <<<"yt-dlp cmd:yt-dlp"
fi
