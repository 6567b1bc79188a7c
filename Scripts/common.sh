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

# Creates a package with the given targets and their dependencies only, with the same settings, so that
# nothing else is built. Sets `package` to the arguments of
# `swift build` and `swift test` for it.
package_of_tests() { # name, configuration, targets...
    local folder=.build/packages/$1 part
    # A cached plan would not notice files that were added or removed behind the links.
    package=(--package-path "$folder" --scratch-path ".build/$1" -c "$2" --disable-build-manifest-caching)
    shift 2
    mkdir -p "$folder"
    for part in Sources Offline Tests Benchmarks; do ln -sfn "../../../$part" "$folder/$part"; done
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
            default: fatalError("\(target.name) has a dependency that is not a target.")
            }
        }
    }
}
package.targets.removeAll { !wanted.contains($0.name) }
package.products.removeAll { ($0 as? Product.Library).map { !wanted.isSuperset(of: $0.targets) } ?? true }
END
    } >"$folder/Package.swift"
}

# Prints the modules of the public products, in the order of Package.swift.
public_modules() {
    local module
    for module in Tidings TidingsFoundation TidingsTesting TidingsUserNotifications \
        TidingsUserNotificationsTesting TidingsDesktop TidingsDiagnostics TidingsSentry; do
        if [ -d "Sources/$module" ]; then echo "$module"; fi
    done
}

# The tests of the library's modules that call no C library, which would lack the instructions of the
# thread sanitizer.
pure_tests=(
    TidingsTests TidingsFoundationTests TidingsTestingTests TidingsUserNotificationsTests
    TidingsDiagnosticsTests
)

# Sets `targets` to those tests, and `package` to the arguments of `swift build` and `swift test` for
# them under the thread sanitizer.
under_thread_sanitizer() {
    targets=("${pure_tests[@]}")
    package_of_tests tsan debug "${targets[@]}" LockOrder
    package+=(--sanitize=thread -Xswiftc -DTHREAD_SANITIZER)
}

# The same for all other tests in a debug build, and for the crash tests, which cannot run under a
# sanitizer. This build also has the snippets and the programs of the end-to-end tests.
without_sanitizer() {
    local folder
    targets=(TidingsDiagnosticsTests)
    for folder in Tests/*Tests Offline/Tests/*Tests; do
        [[ " ${pure_tests[*]} " == *" ${folder##*/} "* ]] || targets+=("${folder##*/}")
    done
    package_of_tests plain debug "${targets[@]}" TidingsUserNotificationsTesting OfflineKillPoint TidingsSendReports
    ln -sfn ../../../Snippets .build/packages/plain/Snippets
}

# Lists the files of the tree: committed, or new and not ignored.
tree_files() { git ls-files --cached --others --exclude-standard -- "$@"; }

swift_paths() {
    local path
    for path in Package.swift Sources Offline Tests Snippets Benchmarks Examples; do
        if [ -e "$path" ]; then echo "$path"; fi
    done
}
