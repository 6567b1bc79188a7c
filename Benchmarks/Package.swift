// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A package of its own, so that users of Tidings never resolve or build it.
let package = Package(
    name: "tidings-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..")],
    targets: [
        .executableTarget(
            name: "CoreBenchmarks",
            dependencies: [
                .product(name: "Tidings", package: "tidings"), "Benching", "CTidingsHeap",
            ]
        ),
        .executableTarget(
            name: "DiagnosticsBenchmarks",
            dependencies: [
                .product(name: "TidingsDiagnostics", package: "tidings"), "Benching",
            ]
        ),
        .executableTarget(
            name: "DesktopPosts",
            dependencies: [
                .product(name: "Tidings", package: "tidings"),
                .product(name: "TidingsDesktop", package: "tidings"),
                .product(name: "TidingsUserNotifications", package: "tidings"),
            ]
        ),
        .target(name: "Benching"),
        .target(name: "CTidingsHeap"),
    ],
    swiftLanguageModes: [.v6]
)
