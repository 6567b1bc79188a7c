// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A program that crashes in each way that the tests use, with the Swift runtime linked statically,
/// which the test process does not have.
let package = Package(
    name: "crashes",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .executableTarget(
            name: "Crashes",
            dependencies: [.product(name: "TidingsDiagnostics", package: "tidings")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .treatAllWarnings(as: .error),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
