// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder that is removed with its last reference.
package final class TemporaryFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Creates an empty folder.
    package init() throws {
        path = try ProcessFolder.shared.get().path + "/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The folder of all temporary folders of this process, removed after the end of the process.
///
/// Notifications and reports may still be saved when a test ends, and the stores create the missing
/// folder again. No cleanup inside this process is certain to come later.
private final class ProcessFolder: Sendable {
    static let shared = Result { try ProcessFolder() }

    let path = FileManager.default.temporaryDirectory.path + "/offline-test-\(UUID().uuidString)"
    /// The pipe's writing end closes when this process ends.
    private let pipe = Pipe()

    private init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "cat; rm -rf \"$0\"", path]
        shell.standardInput = pipe
        try shell.run()
    }
}
