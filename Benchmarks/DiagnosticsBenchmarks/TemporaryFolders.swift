// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// Folders for reporters, removed when this object is released.
final class TemporaryFolders {
    private let root = FileManager.default.temporaryDirectory
        .appendingPathComponent("diagnostics-benchmarks-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func folder(_ name: String) -> String { root.appendingPathComponent(name).path }
}

extension CrashReporter {
    static func start(
        in folder: String,
        _ capture: CaptureMode
    ) throws -> CrashReporter {
        var configuration = Configuration(
            application: "benchmarks",
            release: "benchmarks@1",
            directory: folder
        )
        configuration.capture = capture
        return try start(configuration)
    }
}
