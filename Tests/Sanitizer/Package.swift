// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A program that checks whether the thread sanitizer recognizes the core's lock.
let package = Package(
    name: "sanitizer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .executableTarget(
            name: "LockOrder",
            dependencies: [.product(name: "Tidings", package: "tidings")]
        )
    ],
    swiftLanguageModes: [.v6]
)
