# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by every script. Sets strict mode and the package's root as the current folder, and
# provides functions for messages.
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

# Creates a package with only some targets and the targets' dependencies, so that nothing else is
# built. The settings are the same. Sets `package` to the arguments of `swift build` for the new
# package, and `bin` to the folder of the build's results.
package_of() { # name, configuration, Swift expression of an array of targets' names
    local folder=.build/packages/$1 part manifest
    # A cached plan would not notice files that were added or removed behind the links.
    package=(--package-path "$folder" --scratch-path ".build/$1" -c "$2" --disable-build-manifest-caching
        --traits NATS)
    bin=$PWD/.build/$1/$2
    mkdir -p "$folder"
    for part in Sources Offline Tests; do ln -sfn "../../../$part" "$folder/$part"; done
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
    # The manifest is replaced in one step, because another running build may be reading the old
    # one.
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

# The tests that run only under the thread sanitizer.
#
# The tested code is concurrent by design, and calls no system library without instrumentation.
# SQLite is an exception, because the sanitizer sees SQLite's locks.
thread_tests=(TidingsTests TidingsResourcesTests TidingsBridgeTests)

# Compiles each module as a whole, which takes a quarter less processor time than batches of files.
# A build that is repeated after small changes is faster without this option.
whole_modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)

# Sets `package`, `bin` and `targets` for a debug build of everything, which is fast after a small
# change.
check_package() {
    local folder
    targets=()
    for folder in Tests/*Tests Offline/Tests/*Tests; do targets+=("${folder##*/}"); done
    package_of check debug 'package.targets.map(\.name)'
}

# Sets `package`, `bin` and `targets` for the one debug build of everything except `thread_tests`.
debug_package() {
    local folder
    targets=()
    for folder in Tests/*Tests Offline/Tests/*Tests; do
        [[ " ${thread_tests[*]} " == *" ${folder##*/} "* ]] || targets+=("${folder##*/}")
    done
    package_of debug debug "package.targets.map(\\.name).filter { !$(swift_array "${thread_tests[@]}").contains(\$0) }"
    package+=("${whole_modules[@]}")
}

# Sets `package`, `bin` and `targets` for the debug build of some tests under the thread sanitizer.
thread_package() { # name, test targets
    local name=$1
    shift
    targets=("$@")
    package_of "$name" debug "$(swift_array "${targets[@]}" LockOrder)"
    package+=("${whole_modules[@]}" --sanitize=thread -Xswiftc -DTHREAD_SANITIZER)
}

# Builds the tests of `package`, and links a program for each of `targets` into `bin`. The package
# manager's program contains the tests of all modules, and an exit test would start all of these
# again.
build_tests() {
    swift build --build-tests --explicit-target-dependency-import-check error "${package[@]}"
    python3 Scripts/link-programs.py tests "$bin" "${targets[@]}"
}

# Random programs keep a core busy during the run and would delay all other tests.
# shellcheck disable=SC2034  # The scripts that source this one use it.
random_programs='Tests\.(Resource|Form)?ModelTests/'

# Prints the filters of the parts in which the tests of a module run.
#
# If two thousand tests start at the same time on a small machine, a test that waits for a reply
# continues only after all other tests have started. By then the test's time limit has passed. A user
# also has 128 instances of inotify in all programs together, and the message buses of all tests of the
# desktop would take 120 instances at once.
parts_of() { # test target
    local parts=('') part
    case $1 in
        OfflineLibraryTests) parts=('[A-L]' '[^A-L]') ;;
        TidingsDesktopTests) parts=('[A-C]' '[D-P]' '[^A-P]') ;;
        TidingsDiagnosticsTests) parts=('CrashReporter' 'C(?!rashReporter)' '[^C]') ;;
    esac
    for part in "${parts[@]}"; do echo "^${1//-/_}\.$part"; done
}

swift_array() { # texts
    printf '['
    printf '"%s", ' "$@"
    printf ']'
}

# Hides yt-dlp from the tests. If yt-dlp is installed, `offline` passes pages to yt-dlp that the
# tests expect `offline` to refuse. The tests of yt-dlp name the folder of a separate copy.
hide_site_resolver() {
    local folder links shown=() IFS=:
    for folder in $PATH; do
        if [ -e "$folder/yt-dlp" ]; then
            links=$PWD/.build/without-yt-dlp/${#shown[@]}
            rm -rf "$links"
            mkdir -p "$links"
            ln -s "$folder"/* "$links/"
            rm "$links/yt-dlp"
            folder=$links
        fi
        shown+=("$folder")
    done
    PATH="${shown[*]}"
}

# Puts all temporary files of this script and of the script's children into one folder, which is
# removed at the end. Otherwise the package manager leaves a folder for each module at each call,
# and a killed program leaves files. The path is short, because the path of a socket has at most 107
# bytes. Any user may enter the folder, because some tests give up the rights of root.
# TIDINGS_SYSTEM_TMPDIR keeps the previous folder for temporary files.
use_temporary_folder() {
    export TIDINGS_SYSTEM_TMPDIR=${TMPDIR:-/tmp}
    TMPDIR=$(mktemp -d "$TIDINGS_SYSTEM_TMPDIR/tidings.XXXXXX")
    export TMPDIR
    chmod 1777 "$TMPDIR"
    trap remove_temporary_folder EXIT
}

remove_temporary_folder() {
    local place
    # A killed test may have left a mounted disk.
    awk -v at="$TMPDIR/" 'index($2, at) == 1 { print $2 }' /proc/mounts |
        while read -r place; do umount -l "$place"; done
    rm -rf "$TMPDIR"
}

# Builds the programs of the package Benchmarks into .build/benchmarks/release. The programs link the
# shared runtime, as programs do by default.
build_benchmarks() {
    swift build --package-path Benchmarks --scratch-path .build/benchmarks -c release >&2
}

# Lists the files of the tree: committed, or new and not ignored.
tree_files() { git ls-files --cached --others --exclude-standard -- "$@"; }
