// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Targets and the targets that each one uses.
///
/// Arrows point downwards only.
typealias Targets = KeyValuePairs<String, [Target.Dependency]>

// The library: one folder of Sources and one product for each target.
let library: Targets = [
    "Tidings": [],
    "TidingsResources": ["Tidings"],
    "TidingsTracing": ["Tidings"],
    "TidingsFoundation": ["Tidings", "TidingsResources", "TidingsFiles"],
    "TidingsTesting": ["Tidings"],
    "TidingsUserNotifications": ["Tidings", "TidingsFiles"],
    "TidingsUserNotificationsTesting": ["Tidings", "TidingsUserNotifications", "TidingsTesting"],
    "TidingsDesktop": ["Tidings", "TidingsUserNotifications", .linux("CTidingsSystemd")],
    "TidingsDiagnostics": ["Tidings", "TidingsTracing", "TidingsFiles", .linux("CTidingsCrash")],
    "TidingsSentry": ["Tidings", "TidingsDiagnostics", "TidingsHTTP"],
    "TidingsBridge": ["Tidings", "TidingsFiles", "TidingsSQLite"],
    "TidingsBridgeTesting": ["Tidings", "TidingsBridge", "TidingsTesting"],
    "TidingsNATS": ["TidingsBridge", .nats("CTidingsNATS")],
    "tidings-symbolicate": ["TidingsDiagnostics"],
]

// Modules that several products share and none exports. Every other target may use the first two.
let foundations: Targets = ["TidingsErrors": [], "TidingsLock": []]
let internals: Targets = [
    "TidingsFiles": [],
    "TidingsHTTP": ["CTidingsCurl"],
    "TidingsSQLite": ["CTidingsSQLite"],
]

// The program, which uses the library as any program would.
let common: [Target.Dependency] = ["Tidings", "TidingsFiles", "TidingsHTTP", "TidingsSQLite"]
let untilStore: [Target.Dependency] = [
    "OfflineModel", "OfflineMedia", "OfflineSources", "OfflineStore",
]
let untilLibrary = untilStore + ["OfflineDownloads", "OfflineLibrary"]
let program: Targets = [
    "OfflineModel": common,
    "OfflineMedia": [
        "Tidings", "TidingsFiles", "OfflineModel", "COfflineChild", "COfflineCrypto", "COfflineXML",
    ],
    "OfflineSources": common + ["OfflineModel", "OfflineMedia", "COfflineHTML"],
    "OfflineStore": common + ["OfflineModel", "OfflineMedia", "OfflineSources"],
    "OfflineDownloads": common + untilStore,
    "OfflineLibrary": common + untilStore
        + ["OfflineDownloads", "TidingsFoundation", "TidingsResources", "COfflinePriority"],
    "OfflineAPI": untilLibrary + [
        "Tidings", "TidingsTracing", "TidingsFiles", "TidingsHTTP", "TidingsDiagnostics",
        "TidingsUserNotifications",
    ],
    "OfflineServer": [
        "Tidings", "TidingsTracing", "TidingsFiles", "TidingsHTTP", "TidingsUserNotifications",
        "OfflineModel", "OfflineMedia", "OfflineStore", "OfflineDownloads", "OfflineLibrary",
        "OfflineAPI", "COfflineGzip", "COfflineHTTPServer", "COfflineQR",
    ],
    "OfflineHousehold": [
        "Tidings", "TidingsHTTP", "TidingsBridge", "TidingsNATS", "OfflineModel", "OfflineStore",
        "OfflineDownloads", "OfflineLibrary", "OfflineAPI",
    ],
    "OfflineApp": common + [
        "TidingsDiagnostics", "TidingsUserNotifications", "OfflineModel", "OfflineMedia",
        "OfflineStore", "OfflineDownloads", "OfflineLibrary", "OfflineHousehold", "OfflineServer",
        "OfflineAPI",
    ],
    "offline": common + untilLibrary + [
        "TidingsBridge", "TidingsDesktop", "TidingsDiagnostics", "TidingsUserNotifications",
        "TidingsSentry", "OfflineApp", "OfflineHousehold", "OfflineServer", "OfflineAPI",
    ],
]

let libraryTests: Targets = [
    "TidingsTests": [
        "Tidings", "TidingsTracing", "TidingsTesting", "TidingsCoreFixtures",
        .linux("CTidingsHeap"),
    ],
    "TidingsResourcesTests": [
        "TidingsResources", "Tidings", "TidingsTesting", "TidingsCoreFixtures",
    ],
    "TidingsFoundationTests": [
        "TidingsFoundation", "TidingsResources", "TidingsFiles", "Tidings", "TidingsTesting",
    ],
    "TidingsTestingTests": ["Tidings", "TidingsTesting", "TidingsCoreFixtures"],
    "TidingsUserNotificationsTests": [
        "TidingsUserNotifications", "TidingsUserNotificationsTesting", "TidingsFiles", "Tidings",
        "TidingsTesting", "TidingsCoreFixtures", .linux("CTidingsHeap"),
    ],
    "TidingsDesktopTests": [
        "TidingsDesktop", "TidingsUserNotifications", "TidingsUserNotificationsTesting", "Tidings",
        "TidingsTesting", "TidingsCoreFixtures",
    ],
    "TidingsDiagnosticsTests": [
        "TidingsDiagnostics", "TidingsFiles", "Tidings", "TidingsTesting", "TidingsCoreFixtures",
        .linux("CTidingsCrash"),
    ],
    "TidingsSentryTests": [
        "TidingsSentry", "TidingsDiagnostics", "TidingsHTTP", "Tidings", "TidingsTesting",
        "TidingsTestFixtures",
    ],
    "TidingsHTTPTests": [
        "TidingsHTTP", "Tidings", "TidingsTesting", "TidingsCoreFixtures", "TidingsTestFixtures",
    ],
    "TidingsNATSTests": [
        "TidingsNATS", "TidingsBridge", "TidingsBridgeTesting", "Tidings", "TidingsTesting",
        "TidingsCoreFixtures", .nats("CTidingsNATS"),
    ],
    "TidingsSQLiteTests": ["TidingsSQLite"],
    "TidingsBridgeTests": [
        "TidingsBridge", "TidingsBridgeTesting", "TidingsFiles", "TidingsSQLite", "Tidings",
        "TidingsTesting", "TidingsTracing", "TidingsCoreFixtures",
    ],
    "TidingsLockTests": [],
    "tidings-symbolicateTests": ["tidings-symbolicate", "TidingsDiagnostics", "TidingsSentry"],
    "TidingsCoreFixtures": ["Tidings", "CTidingsChild"],
    "TidingsTestFixtures": ["TidingsHTTP", "TidingsCoreFixtures"],
    "TidingsSendReports": ["TidingsSentry", "TidingsDiagnostics"],
    "Crashes": ["TidingsDiagnostics"],
    "LockOrder": ["Tidings"],
    // With a counting allocator, so no other program links it.
    "AllocationCount": ["Tidings", "TidingsTracing", "CTidingsAllocations"],
]

let programTests: Targets = [
    "OfflineTestFixtures": ["OfflineMedia", "OfflineDownloads", "TidingsCoreFixtures"],
    "OfflineLibraryFixtures": [
        "Tidings", "TidingsFiles", "TidingsHTTP", "TidingsTestFixtures", "OfflineModel",
        "OfflineSources", "OfflineLibrary", "OfflineTestFixtures",
    ],
    "OfflineModelTests": ["Tidings", "TidingsHTTP", "OfflineModel"],
    "OfflineMediaTests": [
        "Tidings", "TidingsFiles", "TidingsCoreFixtures", "OfflineModel", "OfflineMedia",
        "OfflineTestFixtures",
    ],
    "OfflineSourcesTests": [
        "Tidings", "TidingsHTTP", "TidingsCoreFixtures", "TidingsTestFixtures", "OfflineModel",
        "OfflineMedia", "OfflineSources", "OfflineTestFixtures",
    ],
    "OfflineStoreTests": common + untilStore
        + ["TidingsCoreFixtures", "TidingsTestFixtures", "OfflineTestFixtures"],
    "OfflineDownloadsTests": common + untilStore + [
        "TidingsTesting", "TidingsCoreFixtures", "TidingsTestFixtures", "OfflineDownloads",
        "OfflineTestFixtures",
    ],
    "OfflineLibraryTests": common + untilLibrary + [
        "TidingsFoundation", "TidingsTesting", "TidingsCoreFixtures", "TidingsTestFixtures",
        "OfflineLibraryFixtures", "OfflineTestFixtures",
    ],
    "OfflineAppTests": common + untilLibrary + [
        "TidingsDiagnostics", "TidingsUserNotifications", "TidingsTesting", "TidingsTestFixtures",
        "OfflineApp", "OfflineHousehold", "OfflineLibraryFixtures", "OfflineAPI",
        "OfflineTestFixtures",
    ],
    "OfflineServerTests": untilLibrary + [
        "Tidings", "TidingsTracing", "TidingsHTTP", "TidingsDiagnostics",
        "TidingsUserNotifications", "TidingsTesting", "OfflineApp", "OfflineServer", "OfflineAPI",
    ],
    "OfflineHouseholdTests": [
        "Tidings", "TidingsBridge", "TidingsBridgeTesting", "TidingsTesting", "OfflineModel",
        "OfflineStore", "OfflineDownloads", "OfflineLibrary", "OfflineHousehold", "OfflineAPI",
        "OfflineTestFixtures",
    ],
    "offlineTests": [
        "TidingsHTTP", "TidingsSQLite", "TidingsDiagnostics", "OfflineModel", "OfflineMedia",
        "OfflineStore", "OfflineLibrary", "OfflineApp", "OfflineHousehold", "OfflineAPI",
        "offline",
    ],
    "OfflineKillPoint": [
        "Tidings", "TidingsHTTP", "OfflineModel", "OfflineStore", "OfflineDownloads",
        "OfflineLibrary",
    ],
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
let cTests: [Target] = [
    .target(name: "CTidingsAllocations"), .target(name: "CTidingsChild"),
    .target(name: "CTidingsHeap"),
]

let folders: [(path: String, swift: Targets, c: [Target])] = [
    ("Sources", library, cLibrary),
    ("Sources/Internal", foundations, []),
    ("Sources/Internal", internals, cInternals),
    ("Offline/Sources", program, cProgram),
    ("Tests", libraryTests, cTests),
    ("Offline/Tests", programTests, []),
]
let executables = [
    "tidings-symbolicate", "offline", "TidingsSendReports", "Crashes", "LockOrder",
    "AllocationCount", "OfflineKillPoint",
]

/// Returns a Swift target of the kind that the name or the list of executables states.
func target(_ name: String, using dependencies: [Target.Dependency]) -> Target {
    let isFoundation = foundations.contains { $0.key == name }
    let all = dependencies + (isFoundation ? [] : foundations.map { .target(name: $0.key) })
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        .treatWarning("ExplicitSendable", as: .error),
    ]
    if ["Tidings", "TidingsResources"].contains(name) { settings.append(.strictMemorySafety()) }
    if executables.contains(name) {
        return .executableTarget(name: name, dependencies: all, swiftSettings: settings)
    }
    if name.hasSuffix("Tests") {
        return .testTarget(name: name, dependencies: all, swiftSettings: settings)
    }
    let resources: [Resource] = name == "OfflineServer" ? [.copy("Page"), .copy("Sample")] : []
    return .target(name: name, dependencies: all, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "tidings",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: library.map(\.key).filter { !executables.contains($0) }
        .map { .library(name: $0, targets: [$0]) }
        + ["offline", "tidings-symbolicate"].map { .executable(name: $0, targets: [$0]) },
    traits: [
        .trait(name: "NATS", description: "Builds TidingsNATS, which needs the C client of NATS.")
    ],
    targets: folders.flatMap { folder in
        let targets = folder.swift.map { target($0.key, using: $0.value) } + folder.c
        for target in targets {
            target.path = "\(folder.path)/\(target.name)"
            // Each module has a README. Nothing is compiled from the folder of a system library.
            if folder.path.split(separator: "/").contains("Sources"), target.type != .system {
                target.exclude.append("README.md")
            }
        }
        return targets
    },
    swiftLanguageModes: [.v6]
)

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
