// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Everything under `Sources` in Swift, one line each; arrows point downwards only.
let modules: [Target] = [
    .target(name: "Tidings"),
    .target(name: "TidingsFoundation", dependencies: ["Tidings"]),
    .target(name: "TidingsTesting", dependencies: ["Tidings", "TidingsUserNotifications"]),
    .target(name: "TidingsUserNotifications", dependencies: ["Tidings"]),
    .target(
        name: "TidingsDesktop",
        dependencies: [
            "Tidings", "TidingsUserNotifications",
            .target(name: "CTidingsSystemd", condition: .when(platforms: [.linux])),
        ]
    ),
    .target(
        name: "TidingsDiagnostics",
        dependencies: [
            "Tidings", .target(name: "CTidingsCrash", condition: .when(platforms: [.linux])),
        ]
    ),
    .target(
        name: "TidingsSentry",
        dependencies: ["Tidings", "TidingsDiagnostics", "TidingsHTTP"]
    ),
    .target(name: "TidingsHTTP", dependencies: ["Tidings", "CTidingsCurl"]),
    .target(name: "TidingsSQLite", dependencies: ["Tidings", "CTidingsSQLite"]),
    .target(
        name: "OfflineLibrary",
        dependencies: [
            "Tidings", "TidingsFoundation", "TidingsUserNotifications", "TidingsDiagnostics",
            "TidingsHTTP", "TidingsSQLite", "CTidingsCrypto", "CTidingsChild",
        ]
    ),
    .target(
        name: "OfflineServer",
        dependencies: [
            "Tidings", "TidingsHTTP", "TidingsUserNotifications", "TidingsDiagnostics",
            "OfflineLibrary", "CTidingsHTTPServer",
        ],
        resources: [.copy("Page"), .copy("Sample")]
    ),
    .executableTarget(name: "tidings-symbolicate", dependencies: ["TidingsDiagnostics"]),
    .executableTarget(
        name: "offline",
        dependencies: [
            "Tidings", "TidingsDesktop", "TidingsDiagnostics", "TidingsHTTP", "TidingsSQLite",
            "TidingsSentry", "OfflineLibrary", "OfflineServer",
        ]
    ),
]

let tests: [Target] = [
    .testTarget(name: "TidingsTests", dependencies: ["Tidings", "TidingsTesting"]),
    .testTarget(
        name: "TidingsFoundationTests",
        dependencies: ["TidingsFoundation", "Tidings", "TidingsTesting"]
    ),
    .testTarget(name: "TidingsTestingTests", dependencies: ["Tidings", "TidingsTesting"]),
    .testTarget(
        name: "TidingsUserNotificationsTests",
        dependencies: ["TidingsUserNotifications", "Tidings", "TidingsTesting"]
    ),
    .testTarget(
        name: "TidingsDesktopTests",
        dependencies: ["TidingsDesktop", "TidingsUserNotifications", "Tidings", "TidingsTesting"]
    ),
    .testTarget(
        name: "TidingsDiagnosticsTests",
        dependencies: [
            "TidingsDiagnostics", "Tidings", "TidingsTesting",
            .target(name: "CTidingsCrash", condition: .when(platforms: [.linux])),
        ]
    ),
    .testTarget(
        name: "TidingsSentryTests",
        dependencies: [
            "TidingsSentry", "TidingsDiagnostics", "TidingsHTTP", "Tidings", "TidingsTesting",
            "TestSupport",
        ]
    ),
    .target(name: "TestSupport", dependencies: ["TidingsHTTP"], path: "Tests/TestSupport"),
    .testTarget(
        name: "TidingsHTTPTests",
        dependencies: ["TidingsHTTP", "Tidings", "TidingsTesting", "TestSupport"]
    ),
    .testTarget(name: "TidingsSQLiteTests", dependencies: ["TidingsSQLite", "Tidings"]),
    .testTarget(
        name: "tidings-symbolicateTests",
        dependencies: ["tidings-symbolicate", "TidingsDiagnostics"]
    ),
    .testTarget(
        name: "offlineTests",
        dependencies: [
            "offline", "OfflineLibrary", "Tidings", "TidingsDiagnostics", "TidingsHTTP",
            "TidingsSQLite",
        ]
    ),
    .testTarget(
        name: "OfflineLibraryTests",
        dependencies: [
            "OfflineLibrary", "Tidings", "TidingsFoundation", "TidingsUserNotifications",
            "TidingsDiagnostics", "TidingsHTTP", "TidingsSQLite", "TidingsTesting", "TestSupport",
        ]
    ),
    .testTarget(
        name: "OfflineServerTests",
        dependencies: [
            "OfflineServer", "OfflineLibrary", "TidingsDiagnostics", "TidingsHTTP",
            "TidingsUserNotifications", "Tidings", "TidingsTesting",
        ]
    ),
    .executableTarget(
        name: "KillPoint",
        dependencies: ["OfflineLibrary", "Tidings", "TidingsHTTP"],
        path: "Tests/KillPoint"
    ),
    .executableTarget(
        name: "SendReports",
        dependencies: ["TidingsSentry", "TidingsDiagnostics"],
        path: "Tests/SendReports"
    ),
]

/// The C libraries, each behind one Swift module.
let cLibraries: [Target] = [
    .target(name: "CTidingsCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CTidingsSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CTidingsCrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CTidingsChild"),
    .target(name: "CTidingsCrash"),
    .target(name: "CTidingsSystemd", linkerSettings: [.linkedLibrary("systemd")]),
    .target(name: "CTidingsHTTPServer", linkerSettings: [.linkedLibrary("microhttpd")]),
]

let package = Package(
    name: "tidings",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Tidings", targets: ["Tidings"]),
        .library(name: "TidingsFoundation", targets: ["TidingsFoundation"]),
        .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
        .library(name: "TidingsUserNotifications", targets: ["TidingsUserNotifications"]),
        .library(name: "TidingsDesktop", targets: ["TidingsDesktop"]),
        .library(name: "TidingsDiagnostics", targets: ["TidingsDiagnostics"]),
        .library(name: "TidingsSentry", targets: ["TidingsSentry"]),
        .executable(name: "offline", targets: ["offline"]),
        .executable(name: "tidings-symbolicate", targets: ["tidings-symbolicate"]),
    ],
    targets: modules + tests + cLibraries,
    swiftLanguageModes: [.v6]
)

for target in modules + tests {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        .treatWarning("ExplicitSendable", as: .error),
    ]
    if target.name == "Tidings" {
        target.swiftSettings?.append(.strictMemorySafety())
    }
}
