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

# A package of some of our test targets, with the same settings, and of nothing but what those need:
# no snippet, no other test and none of their C libraries is built for them. Sets `package` to the
# arguments by which `swift test` finds it.
package_of_tests() { # name, test targets...
    local folder=.build/packages/$1 part
    shift
    # A cached plan would not notice a file that came or went behind the links.
    package=(--package-path "$folder" --disable-build-manifest-caching)
    mkdir -p "$folder"
    for part in Sources Tests; do ln -sfn "../../../$part" "$folder/$part"; done
    {
        cat Package.swift
        printf 'var wanted: Set<String> = ['
        printf '"%s", ' "$@"
        printf ']\n'
        cat <<'END'
var found = 0
while found < wanted.count {
    found = wanted.count
    for target in package.targets where wanted.contains(target.name) {
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): wanted.insert(name)
            default: fatalError("\(target.name) depends on something else than a target.")
            }
        }
    }
}
package.targets.removeAll { !wanted.contains($0.name) }
package.products = []
END
    } >"$folder/Package.swift"
}

# The modules that make up the public products, in the order of Package.swift.
public_modules() {
    local module
    for module in Tidings TidingsFoundation TidingsTesting TidingsUserNotifications TidingsDesktop \
        TidingsDiagnostics TidingsSentry; do
        if [ -d "Sources/$module" ]; then echo "$module"; fi
    done
}

# Those without a C library, which would not be built for the thread sanitizer.
pure_modules() { public_modules | grep -vxE 'Tidings(Desktop|Sentry)'; }

# Sets `targets` to the tests of those modules, and `sanitized` to the arguments of `swift test` for
# them under the thread sanitizer.
under_thread_sanitizer() {
    local module
    targets=()
    for module in $(pure_modules); do
        [ -d "Tests/${module}Tests" ] || fail "$module has no tests (Tests/${module}Tests)"
        targets+=("${module}Tests")
    done
    package_of_tests sanitizer "${targets[@]}"
    # Also read by those who source this.
    # shellcheck disable=SC2034
    sanitized=("${package[@]}" --scratch-path .build/tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER)
}

# Every file of the tree that belongs to it: committed, or new and not ignored.
tree_files() { git ls-files --cached --others --exclude-standard -- "$@"; }

swift_paths() {
    local path
    for path in Package.swift Sources Tests Snippets Benchmarks Examples; do
        if [ -e "$path" ]; then echo "$path"; fi
    done
}
