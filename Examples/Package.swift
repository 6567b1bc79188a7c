// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Complete programs that use Tidings as any package would and print their expected output.
let examples: [(name: String, products: [String])] = [
    ("Lessons", ["Tidings", "TidingsResources", "TidingsTracing", "TidingsFoundation"]),
    ("Maps", ["Tidings", "TidingsTracing"]),
    ("OwnCenter", ["Tidings"]),
    ("Products", ["Tidings", "TidingsResources"]),
    ("CoreAlone", ["Tidings"]),
    ("AsyncMain", ["Tidings"]),
    ("PlainMain", ["Tidings"]),
    ("Household", ["Tidings", "TidingsBridge", "TidingsNATS"]),
]

let package = Package(
    name: "tidings-examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..", traits: ["NATS"])],
    targets: examples.map { example in
        .executableTarget(
            name: example.name,
            dependencies: example.products.map { .product(name: $0, package: "tidings") },
            path: example.name,
            exclude: ["expected-output.txt"] + (example.name == "Household" ? ["run.sh"] : []),
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .treatAllWarnings(as: .error),
            ]
        )
    },
    swiftLanguageModes: [.v6]
)
