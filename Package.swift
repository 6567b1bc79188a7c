// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The library: one folder of Sources for each product. Arrows point downwards only.
let library: [Target] = [
    .target(name: "Tidings"),
    .target(name: "TidingsResources", dependencies: ["Tidings"]),
    .target(name: "TidingsTracing", dependencies: ["Tidings"]),
    .target(
        name: "TidingsFoundation",
        dependencies: ["Tidings", "TidingsResources", "TidingsFiles"]
    ),
    .target(name: "TidingsTesting", dependencies: ["Tidings"]),
    .target(name: "TidingsUserNotifications", dependencies: ["Tidings", "TidingsFiles"]),
    .target(
        name: "TidingsUserNotificationsTesting",
        dependencies: ["Tidings", "TidingsUserNotifications", "TidingsTesting"]
    ),
    .target(
        name: "TidingsDesktop",
        dependencies: ["Tidings", "TidingsUserNotifications", .linux("CTidingsSystemd")]
    ),
    .target(
        name: "TidingsDiagnostics",
        dependencies: ["Tidings", "TidingsTracing", "TidingsFiles", .linux("CTidingsCrash")]
    ),
    .target(
        name: "TidingsSentry",
        dependencies: ["Tidings", "TidingsDiagnostics", "TidingsHTTP"]
    ),
    .target(name: "TidingsBridge", dependencies: ["Tidings", "TidingsFiles", "TidingsSQLite"]),
    .target(
        name: "TidingsBridgeTesting",
        dependencies: ["Tidings", "TidingsBridge", "TidingsTesting"]
    ),
    .target(
        name: "TidingsNATS",
        dependencies: ["TidingsBridge", .nats("CTidingsNATS")]
    ),
    .executableTarget(name: "tidings-symbolicate", dependencies: ["TidingsDiagnostics"]),
]

// Modules that several products share and none exports. Every other target may use the first two.
let foundations: [Target] = [
    .target(name: "TidingsErrors"),
    .target(name: "TidingsLock"),
]
let internals: [Target] = [
    .target(name: "TidingsFiles"),
    .target(name: "TidingsHTTP", dependencies: ["CTidingsCurl"]),
    .target(name: "TidingsSQLite", dependencies: ["CTidingsSQLite"]),
]

// The program, which uses the library as any program would.
let program: [Target] = [
    .target(
        name: "OfflineLibrary",
        dependencies: [
            "Tidings", "TidingsResources", "TidingsFoundation", "TidingsFiles", "TidingsHTTP",
            "TidingsSQLite", "COfflineCrypto", "COfflineChild", "COfflineHTML", "COfflineXML",
            "COfflinePriority",
        ]
    ),
    .target(
        name: "OfflineServer",
        dependencies: [
            "Tidings", "TidingsTracing", "TidingsFiles", "TidingsHTTP", "TidingsUserNotifications",
            "TidingsDiagnostics", "OfflineLibrary", "COfflineHTTPServer", "COfflineGzip",
            "COfflineQR",
        ],
        resources: [.copy("Page"), .copy("Sample")]
    ),
    .target(
        name: "OfflineHousehold",
        dependencies: [
            "Tidings", "TidingsBridge", "TidingsNATS", "OfflineLibrary", "OfflineServer",
        ]
    ),
    .target(
        name: "OfflineApp",
        dependencies: [
            "Tidings", "TidingsUserNotifications", "TidingsDiagnostics", "TidingsFiles",
            "TidingsHTTP", "TidingsSQLite", "OfflineHousehold", "OfflineLibrary", "OfflineServer",
        ]
    ),
    .executableTarget(
        name: "offline",
        dependencies: [
            "Tidings", "TidingsBridge", "TidingsDesktop", "TidingsDiagnostics", "TidingsFiles",
            "TidingsHTTP", "TidingsSQLite", "TidingsSentry", "OfflineApp", "OfflineHousehold",
            "OfflineLibrary",
            "OfflineServer",
        ]
    ),
]

let libraryTests: [Target] = [
    .testTarget(
        name: "TidingsTests",
        dependencies: [
            "Tidings", "TidingsTracing", "TidingsTesting", "TidingsCoreFixtures",
            .linux("CTidingsHeap"),
        ]
    ),
    .testTarget(
        name: "TidingsResourcesTests",
        dependencies: ["TidingsResources", "Tidings", "TidingsTesting", "TidingsCoreFixtures"]
    ),
    .testTarget(
        name: "TidingsFoundationTests",
        dependencies: [
            "TidingsFoundation", "TidingsResources", "TidingsFiles", "Tidings", "TidingsTesting",
        ]
    ),
    .testTarget(name: "TidingsTestingTests", dependencies: ["Tidings", "TidingsTesting"]),
    .testTarget(
        name: "TidingsUserNotificationsTests",
        dependencies: [
            "TidingsUserNotifications", "TidingsUserNotificationsTesting", "TidingsFiles",
            "Tidings", "TidingsTesting", .linux("CTidingsHeap"),
        ]
    ),
    .testTarget(
        name: "TidingsDesktopTests",
        dependencies: [
            "TidingsDesktop", "TidingsUserNotifications", "TidingsUserNotificationsTesting",
            "Tidings", "TidingsTesting",
        ]
    ),
    .testTarget(
        name: "TidingsDiagnosticsTests",
        dependencies: [
            "TidingsDiagnostics", "TidingsFiles", "Tidings", "TidingsTesting",
            "TidingsCoreFixtures", .linux("CTidingsCrash"),
        ]
    ),
    .testTarget(
        name: "TidingsSentryTests",
        dependencies: [
            "TidingsSentry", "TidingsDiagnostics", "TidingsHTTP", "Tidings", "TidingsTesting",
            "TidingsTestFixtures",
        ]
    ),
    .testTarget(
        name: "TidingsHTTPTests",
        dependencies: ["TidingsHTTP", "Tidings", "TidingsTesting", "TidingsTestFixtures"]
    ),
    .testTarget(
        name: "TidingsNATSTests",
        dependencies: [
            "TidingsNATS", "TidingsBridge", "TidingsBridgeTesting", "Tidings", "TidingsTesting",
            "TidingsCoreFixtures", .nats("CTidingsNATS"),
        ]
    ),
    .testTarget(name: "TidingsSQLiteTests", dependencies: ["TidingsSQLite"]),
    .testTarget(
        name: "TidingsBridgeTests",
        dependencies: [
            "TidingsBridge", "TidingsBridgeTesting", "TidingsFiles", "TidingsSQLite", "Tidings",
            "TidingsTesting", "TidingsTracing", "TidingsCoreFixtures",
        ]
    ),
    .testTarget(name: "TidingsLockTests"),
    .testTarget(
        name: "tidings-symbolicateTests",
        dependencies: ["tidings-symbolicate", "TidingsDiagnostics", "TidingsSentry"]
    ),
    .target(name: "TidingsCoreFixtures", dependencies: ["Tidings"]),
    .target(name: "TidingsTestFixtures", dependencies: ["TidingsHTTP"]),
    .executableTarget(
        name: "TidingsSendReports",
        dependencies: ["TidingsSentry", "TidingsDiagnostics"]
    ),
    .executableTarget(name: "Crashes", dependencies: ["TidingsDiagnostics"]),
    .executableTarget(name: "LockOrder", dependencies: ["Tidings"]),
]

let programTests: [Target] = [
    .target(
        name: "OfflineTestFixtures",
        dependencies: ["OfflineLibrary", "Tidings", "TidingsTestFixtures"]
    ),
    .testTarget(
        name: "OfflineLibraryTests",
        dependencies: [
            "OfflineLibrary", "Tidings", "TidingsFoundation", "TidingsFiles", "TidingsHTTP",
            "TidingsSQLite", "TidingsTesting", "TidingsCoreFixtures", "TidingsTestFixtures",
            "OfflineTestFixtures",
        ]
    ),
    .testTarget(
        name: "OfflineAppTests",
        dependencies: [
            "OfflineApp", "OfflineHousehold", "OfflineServer", "OfflineLibrary",
            "TidingsDiagnostics", "TidingsFiles", "TidingsHTTP", "TidingsSQLite",
            "TidingsUserNotifications", "Tidings", "TidingsTesting", "TidingsTestFixtures",
            "OfflineTestFixtures",
        ]
    ),
    .testTarget(
        name: "OfflineServerTests",
        dependencies: [
            "OfflineServer", "OfflineApp", "OfflineLibrary", "TidingsDiagnostics", "TidingsHTTP",
            "TidingsUserNotifications", "Tidings", "TidingsTracing", "TidingsTesting",
        ]
    ),
    .testTarget(
        name: "OfflineHouseholdTests",
        dependencies: [
            "OfflineHousehold", "OfflineServer", "OfflineLibrary", "Tidings", "TidingsBridge",
            "TidingsBridgeTesting", "TidingsTesting", "OfflineTestFixtures",
        ]
    ),
    .testTarget(
        name: "offlineTests",
        dependencies: [
            "offline", "OfflineApp", "OfflineHousehold", "OfflineServer", "OfflineLibrary",
            "Tidings", "TidingsDiagnostics", "TidingsHTTP", "TidingsSQLite",
        ]
    ),
    .executableTarget(
        name: "OfflineKillPoint",
        dependencies: ["OfflineLibrary", "Tidings", "TidingsHTTP"]
    ),
]

let benchmarks: [Target] = [
    // With a counting allocator, so no other program links it.
    .executableTarget(
        name: "AllocationCount",
        dependencies: ["Tidings", "TidingsTracing", "CTidingsAllocations"]
    ),
    .executableTarget(
        name: "CoreBenchmarks",
        dependencies: ["Tidings", "TidingsTracing", "Benchmarking", "CTidingsHeap"]
    ),
    .executableTarget(
        name: "DiagnosticsBenchmarks",
        dependencies: ["Tidings", "TidingsDiagnostics", "Benchmarking"]
    ),
    .executableTarget(
        name: "DesktopPosts",
        dependencies: ["Tidings", "TidingsDesktop", "TidingsUserNotifications"]
    ),
    .executableTarget(
        name: "BridgeBenchmarks",
        dependencies: ["Tidings", "TidingsBridge", "TidingsNATS"]
    ),
    .target(name: "Benchmarking"),
]

// C libraries, each imported by one Swift module.
let cLibrary: [Target] = [
    .target(name: "CTidingsCrash"),
    .target(
        name: "CTidingsSystemd",
        linkerSettings: [.linkedLibrary("systemd", .when(platforms: [.linux]))]
    ),
    .systemLibrary(
        name: "CTidingsNATS",
        pkgConfig: "libnats",
        providers: [.apt(["libnats-dev"]), .brew(["cnats"])]
    ),
]
let cInternals: [Target] = [
    .target(name: "CTidingsCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CTidingsSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
]
let cProgram: [Target] = [
    .target(name: "COfflineChild"),
    .target(name: "COfflineCrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "COfflineGzip", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "COfflineHTML", dependencies: ["COfflineLibXML"]),
    .target(name: "COfflineHTTPServer", linkerSettings: [.linkedLibrary("microhttpd")]),
    // A system library, because only pkg-config knows the folder of the headers.
    .systemLibrary(name: "COfflineLibXML", pkgConfig: "libxml-2.0"),
    .target(name: "COfflinePriority"),
    .target(name: "COfflineQR", linkerSettings: [.linkedLibrary("qrencode")]),
    .target(name: "COfflineXML", dependencies: ["COfflineLibXML"]),
]
let cBenchmarks: [Target] = [
    .target(name: "CTidingsAllocations")
]
let cTests: [Target] = [
    .target(name: "CTidingsHeap")
]

let folders: [(name: String, targets: [Target])] = [
    ("Sources", library + cLibrary),
    ("Sources/Internal", foundations + internals + cInternals),
    ("Offline/Sources", program + cProgram),
    ("Tests", libraryTests + cTests),
    ("Offline/Tests", programTests),
    ("Benchmarks", benchmarks + cBenchmarks),
]

let package = Package(
    name: "tidings",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Tidings", targets: ["Tidings"]),
        .library(name: "TidingsResources", targets: ["TidingsResources"]),
        .library(name: "TidingsTracing", targets: ["TidingsTracing"]),
        .library(name: "TidingsFoundation", targets: ["TidingsFoundation"]),
        .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
        .library(name: "TidingsUserNotifications", targets: ["TidingsUserNotifications"]),
        .library(
            name: "TidingsUserNotificationsTesting",
            targets: ["TidingsUserNotificationsTesting"]
        ),
        .library(name: "TidingsDesktop", targets: ["TidingsDesktop"]),
        .library(name: "TidingsDiagnostics", targets: ["TidingsDiagnostics"]),
        .library(name: "TidingsSentry", targets: ["TidingsSentry"]),
        .library(name: "TidingsBridge", targets: ["TidingsBridge"]),
        .library(name: "TidingsBridgeTesting", targets: ["TidingsBridgeTesting"]),
        .library(name: "TidingsNATS", targets: ["TidingsNATS"]),
        .executable(name: "offline", targets: ["offline"]),
        .executable(name: "tidings-symbolicate", targets: ["tidings-symbolicate"]),
    ],
    traits: [
        .trait(name: "NATS", description: "Builds TidingsNATS, which needs the C client of NATS.")
    ],
    targets: folders.flatMap(\.targets),
    swiftLanguageModes: [.v6]
)

for folder in folders {
    for target in folder.targets {
        target.path = "\(folder.name)/\(target.name)"
    }
}

let users = library + internals + program + libraryTests + programTests + benchmarks
for target in users {
    target.dependencies += foundations.map { .target(name: $0.name) }
}

for target in foundations + users {
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
    if ["Tidings", "TidingsResources"].contains(target.name) {
        target.swiftSettings?.append(.strictMemorySafety())
    }
}

extension Target.Dependency {
    /// A target that needs the C client of NATS, which other users of the package do not install.
    static func nats(_ name: String) -> Target.Dependency {
        .target(name: name, condition: .when(traits: ["NATS"]))
    }

    /// A target with code that only compiles on Linux.
    static func linux(_ name: String) -> Target.Dependency {
        .target(name: name, condition: .when(platforms: [.linux]))
    }
}
