# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts that install missing Debian packages.
#
# Each line of the input names a package and the probes that detect the package without dpkg:
# `lib:NAME:HEADER` (pkg-config module and header), `cmd:NAME`, or `py:MODULE` of the system's
# Python.

missing_packages() { # package lines on standard input, missing packages on standard output
    local package probes probe
    while read -r package probes; do
        if [ -z "$package" ] || is_installed "$package"; then continue; fi
        for probe in $probes; do
            if ! has_probe "$probe"; then
                echo "$package"
                break
            fi
        done
    done
}

is_installed() {
    command -v dpkg-query >/dev/null &&
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

has_probe() {
    local kind name header
    IFS=: read -r kind name header <<<"$1"
    case $kind in
        cmd) command -v "$name" >/dev/null ;;
        py) /usr/bin/python3 -c "import $name" 2>/dev/null ;;
        lib)
            if command -v pkg-config >/dev/null && pkg-config --exists "$name"; then return; fi
            command -v clang >/dev/null &&
                printf '#include <%s>\n' "$header" | clang -x c -fsyntax-only - 2>/dev/null
            ;;
        *) return 1 ;;
    esac
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# The output of a whole installation is long, and useful only after a failure.
apt() {
    mkdir -p .build
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 -qq "$@" >>.build/packages.log 2>&1
}

# Runs a command that takes long, and prints a sign of life every half minute.
patiently() { # what it does, command...
    local what=$1 begin=$SECONDS signs status=0
    shift
    (
        trap 'kill $!; exit' TERM
        while sleep 30 & wait $!; do say "... $what, $((SECONDS - begin)) s"; done
    ) &
    signs=$!
    "$@" || status=$?
    kill "$signs" 2>/dev/null
    wait "$signs" 2>/dev/null || true
    return "$status"
}

knows_all() {
    local package
    for package in "$@"; do
        apt-cache show "$package" >/dev/null 2>&1 || return 1
    done
}

install_packages() { # purpose, packages...
    local purpose=$1
    shift
    if [ $# = 0 ]; then return; fi
    if ! command -v apt-get >/dev/null; then
        say "$purpose needs these packages (Debian's names; yours may differ): $*"
        fail "this system has no apt-get; install them with its package manager and try again"
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail "$purpose needs packages; run as root: apt-get install $*"
    fi
    say "installing for $purpose: $*"
    patiently "installing $# packages" install_or_update "$@" || {
        tail -n 40 .build/packages.log >&2
        fail "the packages could not be installed; all of the output is in .build/packages.log"
    }
}

install_or_update() { # packages
    knows_all "$@" || apt update || return
    # Old package lists may name files that the mirror no longer has. In that case the lists are
    # updated, and the installation is tried once more.
    apt install -y --no-install-recommends "$@" || { apt update && apt install -y --no-install-recommends "$@"; }
}

# Masks the service of a package that is not installed yet. The tests start their own servers, and
# the package would start another server now and at each boot.
keep_from_starting() { # package, unit
    local units=/etc/systemd/system
    if is_installed "$1" || ! command -v apt-get >/dev/null; then return; fi
    if [ -d "$units" ] && [ ! -e "$units/$2" ]; then
        say "masking $2; to use it: systemctl unmask $2"
        as_root ln -s /dev/null "$units/$2"
    fi
}

ensure_packages() { # purpose; package lines on standard input
    local -a missing
    mapfile -t missing < <(missing_packages)
    install_packages "$1" "${missing[@]}"
}
