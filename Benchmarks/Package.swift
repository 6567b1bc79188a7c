// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A separate package, so that users of Tidings never resolve or build it.
let package = Package(
    name: "tidings-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..")],
    targets: [
        // With a counting allocator, so no other program links it.
        .executableTarget(
            name: "AllocationCount",
            dependencies: [.product(name: "Tidings", package: "tidings"), "CTidingsAllocations"]
        ),
        .executableTarget(
            name: "CoreBenchmarks",
            dependencies: [
                .product(name: "Tidings", package: "tidings"), "Benchmarking", "CTidingsHeap",
            ]
        ),
        .executableTarget(
            name: "DiagnosticsBenchmarks",
            dependencies: [
                .product(name: "TidingsDiagnostics", package: "tidings"), "Benchmarking",
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
        .target(name: "Benchmarking"),
        .target(name: "CTidingsAllocations"),
        .target(name: "CTidingsHeap"),
    ],
    swiftLanguageModes: [.v6]
)
