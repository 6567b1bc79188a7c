# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by every script: strict mode, the root of the package, words for the person.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }
fail() {
    say "error: $*"
    exit 1
}

require_swift() {
    command -v swift >/dev/null || fail "swift is not in PATH; install the Swift 6.3 toolchain"
}

# `swift build` of a package inside this one. Its cached plan would not notice a file that came or
# went in the package around it.
build_nested() { # folder, scratch folder, arguments of `swift build`...
    swift build --disable-build-manifest-caching --package-path "$1" --scratch-path "$2" "${@:3}"
}

# The modules that make up the public products, in the order of Package.swift.
public_modules() {
    local module
    for module in Tidings TidingsFoundation TidingsTesting TidingsUserNotifications TidingsDesktop \
        TidingsDiagnostics; do
        if [ -d "Sources/$module" ]; then echo "$module"; fi
    done
}

# Those without a C library, which would not be built for the thread sanitizer.
pure_modules() { public_modules | grep -vx TidingsDesktop; }

# Every file of the tree that belongs to it: committed, or new and not ignored.
tree_files() { git ls-files --cached --others --exclude-standard -- "$@"; }

swift_paths() {
    local path
    for path in Package.swift Sources Tests Snippets Benchmarks Examples; do
        if [ -e "$path" ]; then echo "$path"; fi
    done
}
