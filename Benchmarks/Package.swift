// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Programs that measure the public declarations of Tidings.
///
/// The package is separate, so that users of Tidings neither read nor resolve these targets.
let package = Package(
    name: "tidings-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..", traits: ["NATS"])],
    targets: [
        .target(name: "Benchmarking"),
        // The library is a system library, because the functions of the header need no object file.
        .systemLibrary(name: "CBenchmarkHeap", path: "CBenchmarkHeap"),
        .program(
            "CoreBenchmarks",
            ["Tidings", "TidingsResources", "TidingsTracing"],
            ["Benchmarking", "CBenchmarkHeap"]
        ),
        .program("DiagnosticsBenchmarks", ["Tidings", "TidingsDiagnostics"], ["Benchmarking"]),
        .program("DesktopPosts", ["Tidings", "TidingsDesktop", "TidingsUserNotifications"]),
        .program("BridgeBenchmarks", ["Tidings", "TidingsBridge", "TidingsNATS"]),
    ],
    swiftLanguageModes: [.v6]
)

let features = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
    "InferIsolatedConformances", "ImmutableWeakCaptures", "NonisolatedNonsendingByDefault",
]
for target in package.targets where target.type != .system {
    target.path = target.name
    target.swiftSettings = features.map { .enableUpcomingFeature($0) }
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
}

extension Target {
    /// Creates a program that uses products of Tidings and targets of this package.
    static func program(
        _ name: String,
        _ products: [String],
        _ targets: [String] = []
    ) -> Target {
        .executableTarget(
            name: name,
            dependencies: products.map { .product(name: $0, package: "tidings") }
                + targets.map { .target(name: $0) }
        )
    }
}
