// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// What an example uses besides the core.
let additions = ["Lessons": ["TidingsFoundation"]]

/// Whole programs, as a user of Tidings would write them; each prints what its expected output says.
let package = Package(
    name: "tidings-examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..")],
    targets: ["Lessons", "Maps", "OwnCenter", "Products"].map { name in
        .executableTarget(
            name: name,
            dependencies: (["Tidings"] + additions[name, default: []]).map {
                .product(name: $0, package: "tidings")
            },
            path: name,
            exclude: ["expected-output.txt"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .treatAllWarnings(as: .error),
            ]
        )
    },
    swiftLanguageModes: [.v6]
)
