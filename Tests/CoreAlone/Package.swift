// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Programs that depend on the core only, like a package of a user.
let package = Package(
    name: "core-alone",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: ["CoreAlone", "AsyncMain", "PlainMain"].map { name in
        .executableTarget(
            name: name,
            dependencies: [.product(name: "Tidings", package: "tidings")]
        )
    },
    swiftLanguageModes: [.v6]
)
