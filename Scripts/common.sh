# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by every script: strict mode, the package's root as current folder, and messages.
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

# Creates a package with some targets and their dependencies only, with the same settings, so that
# nothing else is built. Sets `package` to the arguments of `swift build` and `swift test` for it.
package_of() { # name, configuration, Swift expression of an array of targets' names
    local folder=.build/packages/$1 part manifest
    # A cached plan would not notice files that were added or removed behind the links.
    package=(--package-path "$folder" --scratch-path ".build/$1" -c "$2" --disable-build-manifest-caching
        --traits NATS)
    mkdir -p "$folder"
    for part in Sources Offline Tests Benchmarks; do ln -sfn "../../../$part" "$folder/$part"; done
    manifest=$(mktemp "$folder/manifest.XXXXXX")
    {
        cat Package.swift
        printf 'var wanted: Set<String> = Set(%s)\n' "$3"
        cat <<'END'
var found = 0
while found < wanted.count {
    found = wanted.count
    for target in package.targets where wanted.contains(target.name) {
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): wanted.insert(name)
            default: fatalError("\(target.name) has a dependency that is not a target.")
            }
        }
    }
}
package.targets.removeAll { !wanted.contains($0.name) }
package.products.removeAll { ($0 as? Product.Library).map { !wanted.isSuperset(of: $0.targets) } ?? true }
END
    } >"$manifest"
    # At once, because a build that runs beside this one may be reading the manifest.
    mv "$manifest" "$folder/Package.swift"
}

# Prints the modules of the public products, in the order of Package.swift.
public_modules() {
    local module
    for module in Tidings TidingsResources TidingsTracing TidingsFoundation TidingsTesting \
        TidingsUserNotifications TidingsUserNotificationsTesting TidingsDesktop \
        TidingsDiagnostics TidingsSentry TidingsBridge TidingsBridgeTesting TidingsNATS; do
        if [ -d "Sources/$module" ]; then echo "$module"; fi
    done
}

# Sets `targets` to the tests that run under the thread sanitizer, and `package` to the arguments of
# `swift build` and `swift test` for them. A system library that they called would not be instrumented,
# and its accesses would be invisible or look like races. SQLite is an exception: its locks are seen.
under_thread_sanitizer() {
    targets=(
        TidingsTests TidingsResourcesTests TidingsFoundationTests TidingsTestingTests
        TidingsUserNotificationsTests TidingsDiagnosticsTests TidingsBridgeTests
    )
    package_of tsan debug "$(swift_array "${targets[@]}" LockOrder)"
    package+=(--sanitize=thread -Xswiftc -DTHREAD_SANITIZER)
}

# The tests that run under both sanitizers, debug and optimized. A third build would prove little, and
# the largest target takes longest to build.
sanitized_tests=(TidingsTests TidingsResourcesTests TidingsFoundationTests)

# Sets `targets` and `package` likewise for a debug build of every other target and of the snippets.
without_sanitizer() {
    local folder others
    targets=()
    for folder in Tests/*Tests Offline/Tests/*Tests; do
        [[ " ${sanitized_tests[*]} " == *" ${folder##*/} "* ]] || targets+=("${folder##*/}")
    done
    others="package.targets.map(\\.name).filter { !$(swift_array "${sanitized_tests[@]}").contains(\$0) }"
    package_of plain debug "$others"
    ln -sfn ../../../Snippets .build/packages/plain/Snippets
}

swift_array() { # texts
    printf '['
    printf '"%s", ' "$@"
    printf ']'
}

# Lists the files of the tree: committed, or new and not ignored.
tree_files() { git ls-files --cached --others --exclude-standard -- "$@"; }

swift_paths() {
    local path
    for path in Package.swift Sources Offline Tests Snippets Benchmarks Examples; do
        if [ -e "$path" ]; then echo "$path"; fi
    done
}
