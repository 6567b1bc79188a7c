// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A program whose allocator counts; a package of its own, so that no product is linked with it.
let package = Package(
    name: "allocation-count",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .executableTarget(
            name: "AllocationCount",
            dependencies: [.product(name: "Tidings", package: "tidings"), "CTidingsAllocations"]
        ),
        .target(name: "CTidingsAllocations"),
    ],
    swiftLanguageModes: [.v6]
)
