// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The products that an example uses in addition to the core.
let additions = ["Lessons": ["TidingsFoundation"]]

/// Complete programs that use Tidings; each prints its expected output.
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
